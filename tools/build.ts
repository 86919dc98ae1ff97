import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'vite'
import { compressFiles } from './compress.ts'

/**
 * Builds the browser's files and the renderer of the marketing pages into `dist/`:
 * `client/` (hashed assets, precompressed, with Vite's manifest) and `server/render.js`.
 * The folder is replaced as a whole, so that a running server never sees half a build.
 */
const ROOT = path.resolve(import.meta.dirname, '..')
const DIST = path.join(ROOT, 'dist')
const CACHE = path.join(ROOT, '.cache')

// The site is one thing whatever the shell says: Vite and the plugins of React would go by it.
process.env['NODE_ENV'] = 'production'

const started = performance.now()
await mkdir(CACHE, { recursive: true })
const draft = await mkdtemp(path.join(CACHE, 'build-'))
await chmod(draft, 0o755)
try {
  await buildBrowser(path.join(draft, 'client'))
  await buildRenderer(path.join(draft, 'server'))
  await compressFiles(path.join(draft, 'client/assets'))
  await replaceFolder(DIST, draft)
  console.log(`Built the site in ${((performance.now() - started) / 1000).toFixed(1)} s`)
} finally {
  await rm(draft, { recursive: true, force: true })
}

function buildBrowser(outDir: string) {
  return build({ root: ROOT, logLevel: 'warn', build: { outDir, emptyOutDir: true } })
}

function buildRenderer(outDir: string) {
  return build({
    root: ROOT,
    logLevel: 'warn',
    // React is bundled, so that it is the production one whatever NODE_ENV the server runs with.
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

/** Two renames: the moment without the folder is as short as the file system allows. */
async function replaceFolder(target: string, replacement: string) {
  const old = `${replacement}.old`
  await rename(target, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rename(replacement, target)
  await rm(old, { recursive: true, force: true })
}
