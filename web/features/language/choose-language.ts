import { LOCALE_KEY, type Locale, LOCALES } from '#contract/locales.ts'
import { store } from '#web/features/session/storage.ts'

const YEAR_SECONDS = 31_536_000

/** Remembers which language a visitor chooses in the switch or the offer, and whether they decline the offer. */
export function followLanguageChoice(): void {
  document.addEventListener('click', ({ target }) => choose(target))
  // A click on the offer before this script came; one on a link has left the page.
  if (window.earlyClick) choose(window.earlyClick)
}

function choose(target: EventTarget | null): void {
  if (!(target instanceof Element)) return
  if (target.closest('[data-decline-offer]')) decline()
  const link = target.closest<HTMLAnchorElement>('a[data-locale]')
  const locale = LOCALES.find((known) => known === link?.dataset['locale'])
  if (!link || !locale) return
  remember(locale)
  // The server, which wrote the link, knows neither query nor fragment.
  link.href = link.pathname + location.search + location.hash
}

function remember(locale: Locale): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `${LOCALE_KEY}=${locale}; Max-Age=${YEAR_SECONDS}; Path=/; SameSite=Lax${secure}`
  store(LOCALE_KEY, locale)
}

function decline(): void {
  store('localeOffer', 'declined')
  delete document.documentElement.dataset['offer']
}
