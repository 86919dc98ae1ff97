import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DEFAULT_LOCALE, LOCALES } from '#contract/locales.ts'
import { readCatalogue, withFallback } from './catalogue.ts'
import { problemsOf } from './check.ts'
import { compileNamespace, declareNamespace } from './compile.ts'

/**
 * Compiles `messages/<locale>/*.json` to modules in `generated/messages/<locale>/`; with `--check`, says what is wrong
 * with them instead.
 */
const ROOT = path.resolve(import.meta.dirname, '../..')
const OUTPUT = path.join(ROOT, 'generated/messages')

/** The language that the texts are in, for code that is built once for each. */
const LOCALE_TYPE = `export declare const LOCALE: import('#contract/locales.ts').Locale\n`

if (process.argv.includes('--check')) check()
else await compile()

function check(): void {
  const problems = problemsOf(ROOT)
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length === 0 ? 0 : 1
}

async function compile(): Promise<void> {
  const source = readCatalogue(ROOT, DEFAULT_LOCALE)
  await rm(OUTPUT, { recursive: true, force: true })
  for (const locale of LOCALES) {
    const folder = path.join(OUTPUT, locale)
    const own = readCatalogue(ROOT, locale)
    await mkdir(folder, { recursive: true })
    await writeFile(path.join(folder, 'locale.js'), `export const LOCALE = ${JSON.stringify(locale)}\n`)
    await writeFile(path.join(folder, 'locale.d.ts'), LOCALE_TYPE)
    for (const [namespace, messages] of source) {
      const all = withFallback(own.get(namespace) ?? {}, messages)
      await writeFile(path.join(folder, `${namespace}.js`), compileNamespace(all, locale))
      await writeFile(path.join(folder, `${namespace}.d.ts`), declareNamespace(messages))
    }
  }
}
