import { CampaignFile, Words } from '#contract/campaign-file.ts'
import { DEFAULT_LOCALE, type Locale, localeNamed, LOCALES } from '#contract/locales.ts'
import type * as z from 'zod/mini'
import type { Fault, Problem } from './faults.ts'
import { readSetting, type SchemaDefinition, withSetting } from './settings/setting-paths.ts'

type Split = { campaign: unknown; problems: Problem[] }

/**
 * Separates the languages of a campaign file, in which a text for people is a string or an object such as
 * `{ en: '…', es: '…' }`. The returned campaign, still unchecked, has only the text in the default language
 * in its place. The other texts are in `translations`, by language and path.
 */
export function splitLanguages(unchecked: unknown): Split {
  const translations: Record<string, Record<string, unknown>> = {}
  const problems: Problem[] =
    isObject(unchecked) && 'translations' in unchecked
      ? [{ paths: ['translations'], fault: { code: 'unknown' } }]
      : []
  const campaign = mapWords(CampaignFile, unchecked, '', (value, path) => {
    if (!isObject(value)) return value
    for (const [tag, text] of Object.entries(value)) {
      const fault = faultOf(tag, text)
      if (fault) problems.push({ paths: [path], fault })
      else if (tag !== DEFAULT_LOCALE) (translations[tag] ??= {})[path] = text
    }
    if (Object.hasOwn(value, DEFAULT_LOCALE)) return value[DEFAULT_LOCALE]
    problems.push({ paths: [path], fault: { code: 'no_default_language', tag: DEFAULT_LOCALE } })
    // Any text keeps the schema from reporting a second problem.
    return 'missing'
  })
  if (!isObject(campaign) || Object.keys(translations).length === 0) return { campaign, problems }
  return { campaign: { ...campaign, translations }, problems }
}

function faultOf(tag: string, text: unknown): Fault | undefined {
  if (localeNamed(tag) !== tag) return { code: 'unknown_language', tag, known: LOCALES.join(', ') }
  return typeof text === 'string' && text !== '' ? undefined : { code: 'no_language', tag }
}

/** The reverse of {@link splitLanguages}. Returns the format of a campaign file. */
export function joinLanguages(campaign: CampaignFile): unknown {
  const { translations, ...rest } = campaign
  if (!translations) return campaign
  return mapWords(CampaignFile, rest, '', (value, path) => {
    const others = LOCALES.flatMap((locale) => {
      const text = translations[locale]?.[path]
      return text === undefined ? [] : [[locale, text] as const]
    })
    return others.length === 0 ? value : { [DEFAULT_LOCALE]: value, ...Object.fromEntries(others) }
  })
}

const translated = new WeakMap<CampaignFile, Map<Locale, CampaignFile>>()

/** Texts without a translation are in the default language. Returns the same object for the same input. */
export function campaignIn(campaign: CampaignFile, locale: Locale): CampaignFile {
  if (!campaign.translations) return campaign
  const byLocale = translated.get(campaign) ?? new Map<Locale, CampaignFile>()
  translated.set(campaign, byLocale)
  const result = byLocale.get(locale) ?? translate(campaign, locale)
  byLocale.set(locale, result)
  return result
}

function translate({ translations, ...campaign }: CampaignFile, locale: Locale): CampaignFile {
  const texts = new Map(Object.entries(translations?.[locale] ?? {}))
  return mapWords(CampaignFile, campaign, '', (value, path) => texts.get(path) ?? value) as CampaignFile
}

/** The paths of the texts that lack a translation, by language. Empty for a campaign in one language. */
export function textsLacking({ translations, ...campaign }: CampaignFile): Map<Locale, string[]> {
  if (!translations) return new Map()
  const paths: string[] = []
  mapWords(CampaignFile, campaign, '', (value, path) => {
    paths.push(path)
    return value
  })
  const lackedIn = (locale: Locale) =>
    paths.filter((path) => !Object.hasOwn(translations[locale] ?? {}, path))
  return new Map(
    LOCALES.filter((locale) => locale !== DEFAULT_LOCALE)
      .map((locale) => [locale, lackedIn(locale)] as const)
      .filter(([, lacked]) => lacked.length > 0),
  )
}

/** The languages with a translation of a setting or of a text inside it. */
export function languagesOf({ translations }: CampaignFile, path: string): Locale[] {
  const isWithin = (other: string) => other === path || other.startsWith(`${path}.`)
  return LOCALES.filter((locale) => Object.keys(translations?.[locale] ?? {}).some(isWithin))
}

/**
 * Adds translations to a setting's new value, which is in the default language. A text that the setting had
 * before keeps its translations, so correcting a link in a list does not lose the translations of the list.
 * @param before earlier campaigns with translations. A later one takes precedence.
 */
export function withTranslations(path: string, value: unknown, before: readonly CampaignFile[]): unknown {
  const byDefaultText = new Map<unknown, unknown>()
  for (const campaign of before)
    mapSetting(path, readSetting(joinLanguages(campaign), path), (text) => {
      if (isObject(text)) byDefaultText.set(text[DEFAULT_LOCALE], text)
      return text
    })
  return mapSetting(path, value, (text) => byDefaultText.get(text) ?? text)
}

function mapSetting(path: string, value: unknown, map: (text: unknown) => unknown): unknown {
  return readSetting(mapWords(CampaignFile, withSetting({}, path, value), '', map), path)
}

/** A copy of a value in which `map` replaces each text for people (each value with the schema `Words`). */
function mapWords(
  schema: z.core.$ZodType,
  value: unknown,
  path: string,
  map: (value: unknown, path: string) => unknown,
): unknown {
  if ((schema as unknown) === Words) return map(value, path)
  const { type, shape, element, innerType } = schema._zod.def as SchemaDefinition
  const below = (name: string | number) => (path === '' ? String(name) : `${path}.${name}`)
  if (innerType && type === 'optional') return mapWords(innerType, value, path, map)
  if (element && Array.isArray(value))
    return value.map((member: unknown, index) => mapWords(element, member, below(index), map))
  if (!shape || !isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const part = Object.hasOwn(shape, name) ? shape[name] : undefined
      return [name, part ? mapWords(part, member, below(name), map) : member]
    }),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
