import { LANGUAGE as AR } from '#catalogue/ar/language.js'
import { LANGUAGE as EN } from '#catalogue/en/language.js'
import { LANGUAGE as ES } from '#catalogue/es/language.js'
import { LANGUAGE as PT_BR } from '#catalogue/pt-BR/language.js'
import { LANGUAGE as TR } from '#catalogue/tr/language.js'
import { LANGUAGE as ZH_HANS } from '#catalogue/zh-Hans/language.js'
import { directionOf, type Locale, LOCALES } from '#contract/locales.ts'
import { LOCALE } from '#messages/locale.js'
import { LanguageLink } from '#web/features/language/language-switch.tsx'

const WORDS: Readonly<Record<Locale, typeof EN>> = {
  en: EN,
  es: ES,
  'pt-BR': PT_BR,
  tr: TR,
  'zh-Hans': ZH_HANS,
  ar: AR,
}

/**
 * One offer for each language except that of this page, in the language that it offers. static/head.js shows
 * the offer in the browser's language, before the first paint, so that nothing shifts. The others stay hidden.
 */
export function LanguageOffer({ path }: { path: string }) {
  return LOCALES.filter((locale) => locale !== LOCALE).map((locale) => (
    <aside
      key={locale}
      lang={locale}
      dir={directionOf(locale)}
      aria-label={WORDS[locale].label}
      className="language-offer"
    >
      <p>{WORDS[locale].offer}</p>
      <LanguageLink locale={locale} path={path} className="footer-link text-link">
        {WORDS[locale].switch}
      </LanguageLink>
      {/* An empty locale tells static/head.js to decline the offer. */}
      <button type="button" data-locale="" className="footer-link">
        {WORDS[locale].notNow}
      </button>
    </aside>
  ))
}
