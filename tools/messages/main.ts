import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { dateTag, DEFAULT_LOCALE, intlTag, LOCALES, type Locale } from '#contract/locales.ts'
import { readCatalogue, withFallback } from './catalogue.ts'
import { problemsOf } from './check.ts'
import { compileNamespace, declareNamespace } from './compile.ts'

/** Compiles `messages/` to modules in `generated/messages/`. With `--check`, only prints problems. */

const ROOT = path.resolve(import.meta.dirname, '../..')
const OUTPUT = path.join(ROOT, 'generated/messages')

/** Tells code that is built once per language which language it is. */
const localeModule = (locale: Locale): string =>
  Object.entries({ LOCALE: locale, INTL_TAG: intlTag(locale), DATE_TAG: dateTag(locale) })
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`)
    .join('')

const LOCALE_TYPES = `export declare const LOCALE: import('#contract/locales.ts').Locale
/** See \`intlTag\` of the contract. */
export declare const INTL_TAG: string
/** See \`dateTag\` of the contract. */
export declare const DATE_TAG: string
`

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
    const translation = readCatalogue(ROOT, locale)
    await mkdir(folder, { recursive: true })
    await writeFile(path.join(folder, 'locale.js'), localeModule(locale))
    await writeFile(path.join(folder, 'locale.d.ts'), LOCALE_TYPES)
    for (const [namespace, messages] of source) {
      const all = withFallback(translation.get(namespace) ?? {}, messages)
      await writeFile(path.join(folder, `${namespace}.js`), compileNamespace(all, locale))
      await writeFile(path.join(folder, `${namespace}.d.ts`), declareNamespace(messages))
    }
  }
}
