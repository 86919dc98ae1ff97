import { dashboardLocale, DEFAULT_LOCALE, LOCALES, type Locale } from '#contract/locales.ts'
import { type Catalogue, flatten, type Messages, readCatalogue } from './catalogue.ts'
import { compileNamespace } from './compile.ts'
import { pluralsOf, type Shape, shapeOf } from './message.ts'

/** Languages that must have every message. Others fall back to the default language. */
const COMPLETE: ReadonlySet<Locale> = new Set<Locale>(['es', 'pt-BR', 'tr', 'zh-Hans', 'ar'])

/** The dashboard has fewer languages. */
const isDashboard = (namespace: string) => namespace.startsWith('dashboard-')

/** @returns one line for each missing or unknown key, wrong placeholder or plural form, and syntax error. */
export function problemsOf(root: string): string[] {
  const source = readCatalogue(root, DEFAULT_LOCALE)
  return LOCALES.flatMap((locale) => {
    const translation = locale === DEFAULT_LOCALE ? source : readCatalogue(root, locale)
    return [
      ...findMissing(translation, source, locale),
      ...[...translation].flatMap(([namespace, messages]) =>
        findFaults(messages, source.get(namespace), locale).map(
          (fault) => `messages/${locale}/${namespace}.json: ${fault}`,
        ),
      ),
    ]
  })
}

function findMissing(translation: Catalogue, source: Catalogue, locale: Locale): string[] {
  if (!COMPLETE.has(locale)) return []
  return [...source].flatMap(([namespace, messages]) => {
    if (isDashboard(namespace) && dashboardLocale(locale) !== locale) return []
    const translated = new Set([...flatten(translation.get(namespace) ?? {})].map(([name]) => name))
    return [...flatten(messages)]
      .filter(([name]) => !translated.has(name))
      .map(([name, text]) => `messages/${locale}/${namespace}.json lacks ${name}: “${text}”`)
  })
}

function findFaults(messages: Messages, source: Messages | undefined, locale: Locale): string[] {
  if (!source) return [`There is no messages/${DEFAULT_LOCALE} file of this name.`]
  const originals = new Map(flatten(source))
  const faults = [...flatten(messages)].flatMap(([name, text]) => {
    const original = originals.get(name)
    if (original === undefined) return [`${name} does not exist in messages/${DEFAULT_LOCALE}.`]
    return findMessageFaults(text, original, locale).map((fault) => `${name}: ${fault}`)
  })
  return faults.length === 0 ? findCompileErrors(messages, locale) : faults
}

function findCompileErrors(messages: Messages, locale: Locale): string[] {
  try {
    compileNamespace(messages, locale)
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

function findMessageFaults(text: string, original: string, locale: Locale): string[] {
  try {
    return [...comparePlaceholders(shapeOf(text), shapeOf(original)), ...findPluralFaults(text, locale)]
  } catch (error) {
    return [(error as Error).message]
  }
}

function comparePlaceholders(shape: Shape, original: Shape): string[] {
  const describe = ({ placeholders, tags }: Shape) => {
    const names = Array.from(placeholders.keys(), (name) => `{${name}}`)
    return [...names, ...Array.from(tags, (tag) => `<${tag}>`)].toSorted().join(' ')
  }
  const [has, needs] = [describe(shape), describe(original)]
  return has === needs ? [] : [`has ${has || 'no placeholders'}, needs ${needs || 'none'}.`]
}

/** Only Arabic has to have “many”. Spanish and Portuguese use it for compact figures (“1 millón de …”). */
function findPluralFaults(text: string, locale: Locale): string[] {
  const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions()
  const known = new Set<string>(pluralCategories)
  const needed = pluralCategories.filter((category) => category !== 'many' || locale === 'ar')
  return pluralsOf(text).flatMap((keys) => {
    // An exact figure (`=1`) covers the category of that figure.
    const covered = new Set(keys.map((key) => ({ '=0': 'zero', '=1': 'one', '=2': 'two' })[key] ?? key))
    const lacking = needed.filter((category) => !covered.has(category))
    const foreign = keys.filter((key) => !key.startsWith('=') && !known.has(key))
    return [
      ...(lacking.length === 0 ? [] : [`has no plural for ${lacking.join(', ')}.`]),
      ...(foreign.length === 0 ? [] : [`has plurals that the language lacks: ${foreign.join(', ')}.`]),
    ]
  })
}
