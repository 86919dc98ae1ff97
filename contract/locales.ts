/**
 * The languages of the product, as BCP 47 tags, in the order of the language switch. `messages/<locale>/` holds the
 * texts of each.
 */
export const LOCALES = ['en', 'es', 'pt-BR', 'tr', 'zh-Hans', 'ar'] as const

export type Locale = (typeof LOCALES)[number]

/** The language of the addresses without a prefix, and of texts that a campaign gives in one language only. */
export const DEFAULT_LOCALE: Locale = 'en'

/** The direction of a language's script. */
export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr')

/** The tag for `Intl`: participants compare figures with wallets and explorers, so Arabic too has Latin digits. */
export const intlTag = (locale: Locale): string => (locale === 'ar' ? 'ar-u-nu-latn' : locale)

/** A page's address in a language. @param path in the default language, such as `/howtobuy` */
export const localizedPath = (locale: Locale, path: `/${string}`): `/${string}` =>
  locale === DEFAULT_LOCALE ? path : `/${locale.toLowerCase()}${path === '/' ? '' : path}`
