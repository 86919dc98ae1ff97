/**
 * The languages of the product, as BCP 47 tags, in the order of the language switch. `messages/<locale>/` holds the
 * texts of each.
 */
export const LOCALES = ['en', 'es', 'pt-BR', 'tr', 'zh-Hans', 'ar'] as const

export type Locale = (typeof LOCALES)[number]

/** The language of the addresses without a prefix, and of texts that a campaign gives in one language only. */
export const DEFAULT_LOCALE: Locale = 'en'

/** The name of the cookie that keeps a visitor's choice. */
export const LOCALE_COOKIE = 'locale'

/** Each language in its own words. */
export const LOCALE_NAMES: Readonly<Record<Locale, string>> = {
  en: 'English',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  tr: 'Türkçe',
  'zh-Hans': '简体中文',
  ar: 'العربية',
}

export const isLocale = (value: unknown): value is Locale => LOCALES.some((locale) => locale === value)

/** The direction of a language's script. */
export const directionOf = (locale: Locale): 'ltr' | 'rtl' => (locale === 'ar' ? 'rtl' : 'ltr')

/** The tag for `Intl`: participants compare figures with wallets and explorers, so Arabic too has Latin digits. */
export const intlTag = (locale: Locale): string => (locale === 'ar' ? 'ar-u-nu-latn' : locale)

/** The first segment of a language's addresses: `/pt-br`, and nothing for the default language. */
export const localePrefix = (locale: Locale): string =>
  locale === DEFAULT_LOCALE ? '' : `/${locale.toLowerCase()}`

/** A page's address in a language. @param path in the default language, such as `/howtobuy` */
export const localizedPath = (locale: Locale, path: string): string =>
  locale === DEFAULT_LOCALE ? path : localePrefix(locale) + (path === '/' ? '' : path)

/** Splits an address into its language and its path in the default language; an unknown prefix is part of the path. */
export function splitLocale(path: string): { locale: Locale; path: string } {
  for (const locale of LOCALES) {
    const prefix = localePrefix(locale)
    if (prefix === '') continue
    if (path === prefix) return { locale, path: '/' }
    if (path.startsWith(`${prefix}/`)) return { locale, path: path.slice(prefix.length) }
  }
  return { locale: DEFAULT_LOCALE, path }
}
