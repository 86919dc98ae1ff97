import {
  directionOf,
  LOCALE_NAMES,
  type Locale,
  LOCALES,
  localizedPath,
  unlocalizedPath,
} from '#contract/locales.ts'
import { LANGUAGE } from '#messages/language.js'
import { LOCALE } from '#messages/locale.js'

/**
 * Links to the current page in every language. static/head.js stores the chosen `data-locale`.
 * @param props.path the path of the current page, as in the address bar.
 */
export function LanguageSwitch({ path, className }: { path: string; className?: string }) {
  return (
    <nav aria-label={LANGUAGE.label} className={className}>
      <ul className="flex flex-wrap gap-x-5 text-sm">
        {LOCALES.map((locale) => (
          <li key={locale}>
            <LanguageLink locale={locale} path={path}>
              {LOCALE_NAMES[locale]}
            </LanguageLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

export function LanguageLink(props: { locale: Locale; path: string; className?: string; children: string }) {
  const { locale, path, className = 'footer-link', children } = props
  return (
    <a
      href={localizedPath(locale, unlocalizedPath(LOCALE, path))}
      lang={locale}
      hrefLang={locale}
      dir={directionOf(locale)}
      aria-current={locale === LOCALE ? 'true' : undefined}
      // Keeps the browser from prerendering the current page.
      data-here={locale === LOCALE ? '' : undefined}
      data-locale={locale}
      className={className}
    >
      {children}
    </a>
  )
}
