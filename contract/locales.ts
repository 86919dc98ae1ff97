/** The product's languages (BCP 47), in the order of the switch; `messages/<locale>/` has their texts. */
export const LOCALES = ['en', 'es', 'pt-BR', 'tr', 'zh-Hans', 'ar'] as const

export type Locale = (typeof LOCALES)[number]

/** The language of addresses without a prefix, and of texts that a campaign gives in one language only. */
export const DEFAULT_LOCALE: Locale = 'en'

export const LOCALE_NAMES: Readonly<Record<Locale, string>> = {
  en: 'English',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  tr: 'Türkçe',
  'zh-Hans': '简体中文',
  ar: 'العربية',
}

/** The endpoint that saves an account's language, below the API's base path; `head.js` calls it too. */
export const LOCALE_PATH = '/users/locale'

/** The name of the cookie, and of the key in the browser's storage, that hold a visitor's choice. */
export const LOCALE_KEY = 'locale'

/** Open Graph accepts only locales from its own list, each with a territory. */
export const OPEN_GRAPH_LOCALES: Readonly<Record<Locale, string>> = {
  en: 'en_US',
  es: 'es_LA',
  'pt-BR': 'pt_BR',
  tr: 'tr_TR',
  'zh-Hans': 'zh_CN',
  ar: 'ar_AR',
}

/** The language of a tag in upper or lower case; undefined for an unknown tag. */
export const localeNamed = (tag: unknown): Locale | undefined =>
  typeof tag === 'string' ? LOCALES.find((locale) => locale.toLowerCase() === tag.toLowerCase()) : undefined

export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr')

/**
 * `Intl` tags that differ from ours. Arabic has Latin digits, as in wallets and explorers. Spanish has a
 * 24-hour clock, because half of Latin America writes midnight as 0:00 and the other half as 12:00 a. m.
 */
const INTL_TAGS: Partial<Record<Locale, string>> = { ar: 'ar-u-nu-latn', es: 'es-419-u-hc-h23' }

export const intlTag = (locale: Locale): string => INTL_TAGS[locale] ?? locale

/** The languages that the dashboard and the setup are translated into. */
const DASHBOARD_LOCALES: readonly Locale[] = ['en', 'es']

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
