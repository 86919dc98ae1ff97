import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build, type InlineConfig, mergeConfig, minify, type UserConfig } from 'vite'
import { allocationConfig, checkConfigFor } from '../vite.classic.config.ts'
import { baseFor, configFor } from '../vite.config.ts'
import { DEFAULT_LOCALE, LOCALES, type Locale } from '../contract/locales.ts'
import { compressFiles, keepAssets } from './built-assets.ts'

/**
 * Builds the site into `dist/site/`:
 * - `client/`: the browser's files in every language, with Vite's manifests; hashed and precompressed
 * - `server/render-<locale>.js`: renders the marketing pages in a language
 * - `server/render-docs.js`: renders the documentation
 * - `allocation/`: script, style sheet and fonts of an allocation's static site
 *
 * Replaces the folder as a whole, so that a running server never sees a partial build. Keeps the assets of
 * the last build for that server and for open pages. Tests pass languages as arguments: then it builds only
 * these, does not compress them, and copies the rest from the last build.
 */

const ROOT = path.resolve(import.meta.dirname, '..')
const DIST = path.join(ROOT, 'dist/site')
const CACHE = path.join(ROOT, '.cache')

// Vite and the React plugin read NODE_ENV. The build must not depend on the shell's value.
process.env['NODE_ENV'] = 'production'

const onlyLocales = process.argv.slice(2)
const locales = onlyLocales.length === 0 ? LOCALES : LOCALES.filter((locale) => onlyLocales.includes(locale))
const startedAt = performance.now()
await mkdir(CACHE, { recursive: true })
await mkdir(path.dirname(DIST), { recursive: true })
const draft = await mkdtemp(path.join(CACHE, 'build-'))
await chmod(draft, 0o755) // `mkdtemp` makes folders private
try {
  if (onlyLocales.length > 0) await cp(DIST, draft, { recursive: true })
  const client = path.join(draft, 'client')
  for (const locale of locales) {
    await buildInto(client, configFor(locale))
    await buildInto(client, checkConfigFor(locale))
    await buildRenderer(locale, 'web/site/render.tsx', `render-${locale}.js`)
  }
  await minifyFile(path.join(client, 'head.js'))
  if (onlyLocales.length === 0) {
    await buildRenderer(DEFAULT_LOCALE, 'web/site/docs/render-docs.tsx', 'render-docs.js')
    await buildInto(path.join(draft, 'allocation'), allocationConfig)
    await compressFiles(path.join(client, 'assets'))
    await keepAssets(draft, DIST)
  }
  await replaceFolder(DIST, draft)
  console.log(`Built the site in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
} finally {
  await rm(draft, { recursive: true, force: true })
}

function buildInto(outDir: string, config: UserConfig) {
  const output: InlineConfig = { configFile: false, logLevel: 'warn', build: { outDir, emptyOutDir: false } }
  return build(mergeConfig(config, output))
}

function buildRenderer(locale: Locale, source: string, file: string) {
  const renderer: UserConfig = {
    // Bundles the production build of React, whatever the server's NODE_ENV.
    ssr: { noExternal: true },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      copyPublicDir: false,
      minify: true,
      ssr: source,
      rolldownOptions: {
        input: source,
        checks: { bundlerTimings: false },
        output: { entryFileNames: file, codeSplitting: false },
      },
    },
  }
  return buildInto(path.join(draft, 'server'), mergeConfig(baseFor(locale), renderer))
}

async function minifyFile(file: string): Promise<void> {
  const { code } = await minify(file, await readFile(file, 'utf8'), { module: false })
  await writeFile(file, code)
}

/** Two renames, so that the folder is missing only for a moment. */
async function replaceFolder(target: string, replacement: string) {
  const old = `${replacement}.old`
  await rename(target, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rename(replacement, target)
  await rm(old, { recursive: true, force: true })
}
