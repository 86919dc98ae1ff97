import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'vite'
import { compressFiles } from './compress.ts'

/**
 * Builds into `dist/` the browser's files, `client/` (hashed, precompressed assets with Vite's manifest), and the
 * renderer of the marketing pages, `server/render.js`, and `allocation/`, what the static site of an allocation is made
 * with. Replaces the folder as a whole, so that a running server
 * never sees a partial build.
 */
const ROOT = path.resolve(import.meta.dirname, '..')
const DIST = path.join(ROOT, 'dist')
const CACHE = path.join(ROOT, '.cache')

// Vite and the React plugin read NODE_ENV; the build must not depend on the shell's.
process.env['NODE_ENV'] = 'production'

const started = performance.now()
await mkdir(CACHE, { recursive: true })
const draft = await mkdtemp(path.join(CACHE, 'build-'))
await chmod(draft, 0o755)
try {
  await buildBrowser(path.join(draft, 'client'))
  await buildCheck(path.join(draft, 'client'))
  await buildRenderer(path.join(draft, 'server'))
  await buildAllocationSite(path.join(draft, 'allocation'))
  await compressFiles(path.join(draft, 'client/assets'))
  await replaceFolder(DIST, draft)
  console.log(`Built the site in ${((performance.now() - started) / 1000).toFixed(1)} s`)
} finally {
  await rm(draft, { recursive: true, force: true })
}

function buildBrowser(outDir: string) {
  return build({ root: ROOT, logLevel: 'warn', build: { outDir, emptyOutDir: true } })
}

function buildAllocationSite(outDir: string) {
  return build({
    configFile: path.join(ROOT, 'vite.allocation.config.ts'),
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true },
  })
}

/** The page `/check` has no origin, and with it no modules: a build of its own, into the same folder. */
function buildCheck(outDir: string) {
  const configFile = path.join(ROOT, 'vite.check.config.ts')
  return build({ configFile, logLevel: 'warn', build: { outDir, emptyOutDir: false } })
}

function buildRenderer(outDir: string) {
  return build({
    root: ROOT,
    logLevel: 'warn',
    // Bundles the production build of React, whatever the server's NODE_ENV.
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir,
      emptyOutDir: true,
      copyPublicDir: false,
      manifest: false,
      minify: true,
      ssr: 'web/site/render.tsx',
      rolldownOptions: {
        input: 'web/site/render.tsx',
        checks: { bundlerTimings: false },
        output: { entryFileNames: 'render.js', codeSplitting: false },
      },
    },
  })
}

/** Uses two renames to minimize the time without the folder. */
async function replaceFolder(target: string, replacement: string) {
  const old = `${replacement}.old`
  await rename(target, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rename(replacement, target)
  await rm(old, { recursive: true, force: true })
}
