/** The product's languages (BCP 47), in the order of the switch; `messages/<locale>/` has their texts. */
export const LOCALES = ['en', 'es', 'pt-BR', 'tr', 'zh-Hans', 'ar'] as const

export type Locale = (typeof LOCALES)[number]

/** The language of addresses without a prefix, and of texts that a campaign gives in one language only. */
export const DEFAULT_LOCALE: Locale = 'en'

/** What each language calls itself. */
export const LOCALE_NAMES: Readonly<Record<Locale, string>> = {
  en: 'English',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  tr: 'Türkçe',
  'zh-Hans': '简体中文',
  ar: 'العربية',
}

/** Where an account's language is saved, below the API's base path; `head.js` calls it too. */
export const LOCALE_PATH = '/users/locale'

/** The cookie and the key in the browser's storage that hold a visitor's choice. */
export const LOCALE_KEY = 'locale'

/** Open Graph's name of each language. It accepts only locales from its list, all with a territory. */
export const OPEN_GRAPH_LOCALES: Readonly<Record<Locale, string>> = {
  en: 'en_US',
  es: 'es_LA',
  'pt-BR': 'pt_BR',
  tr: 'tr_TR',
  'zh-Hans': 'zh_CN',
  ar: 'ar_AR',
}

/** The language of a tag as sent or stored, in upper or lower case; undefined for an unknown tag. */
export const localeNamed = (tag: unknown): Locale | undefined =>
  typeof tag === 'string' ? LOCALES.find((locale) => locale.toLowerCase() === tag.toLowerCase()) : undefined

export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr')

/**
 * `Intl` tags that differ from ours. Arabic with Latin digits, so that participants can compare figures with
 * those in wallets and explorers. Spanish with a 24-hour clock, because half of Latin America writes midnight
 * as 0:00 and the other half as 12:00 a. m.
 */
const INTL_TAGS: Partial<Record<Locale, string>> = { ar: 'ar-u-nu-latn', es: 'es-419-u-hc-h23' }

export const intlTag = (locale: Locale): string => INTL_TAGS[locale] ?? locale

/** The languages that the dashboard and the setup are translated into. */
const DASHBOARD_LOCALES: readonly Locale[] = ['en', 'es']

/** The language of the dashboard and the setup where the rest of the site is in `locale`. */
export const dashboardLocale = (locale: Locale): Locale =>
  DASHBOARD_LOCALES.includes(locale) ? locale : DEFAULT_LOCALE

/** The tag for dates in full: in English the day comes first, which readers of every country understand. */
export const dateTag = (locale: Locale): string => (locale === 'en' ? 'en-GB' : intlTag(locale))

/** A page's address in a language. @param path in the default language, such as `/howtobuy` */
export const localizedPath = (locale: Locale, path: `/${string}`): `/${string}` =>
  locale === DEFAULT_LOCALE ? path : `/${locale.toLowerCase()}${path === '/' ? '' : path}`

/** The reverse of {@link localizedPath}: removes the language's prefix, if the path has it. */
export function unlocalizedPath(locale: Locale, path: string): `/${string}` {
  const prefix = localizedPath(locale, '/')
  const unprefixed =
    locale !== DEFAULT_LOCALE && `${path}/`.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
  return `/${unprefixed.replace(/^\/+/, '')}`
}
