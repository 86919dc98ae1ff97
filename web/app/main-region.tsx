import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { dashboardLocale, directionOf } from '#contract/locales.ts'
import { LOCALE } from '#messages/locale.js'
import { type Route, routeText } from '#web/routes.ts'
import { MAIN_ID } from '#web/features/layout/layout.ts'
import { CAMPAIGN } from './campaign-data.ts'

/** False for the first screen, which the browser itself announces and scrolls. */
let hasShownScreen = false

type MainRegionProps = { route: Route; className?: string; children: ReactNode }

/** The `main` landmark of a screen. After client-side navigation, it scrolls up and gets the focus. */
export function MainRegion({ route, className, children }: MainRegionProps) {
  useHead(route)
  const main = useRef<HTMLElement>(null)
  useKeptFocus(main)

  useEffect(() => {
    if (hasShownScreen) {
      window.scrollTo(0, 0)
      // An autofocused field keeps the focus.
      if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
    }
    hasShownScreen = true
  }, [])

  return (
    <main ref={main} id={MAIN_ID} tabIndex={-1} className={className} {...languageOf(route)}>
      {children}
    </main>
  )
}

/**
 * If the focused element is removed, moves the focus to the closest ancestor that has `tabIndex={-1}`, which
 * the region itself has. Otherwise the next Tab would start at the top of the page.
 */
function useKeptFocus(region: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = region.current
    if (!element) return
    let focusPath: readonly EventTarget[] = []
    const remember = (event: Event) => {
      focusPath = event.composedPath()
    }
    // A press outside the region takes the focus away. A press inside only moves it within the region.
    const forget = ({ target }: Event) => {
      if (target instanceof Node && !element.contains(target)) focusPath = []
    }
    const observer = new MutationObserver(() => {
      const [focused] = focusPath
      if (!(focused instanceof Node) || focused.isConnected || document.activeElement !== document.body)
        return
      const container = focusPath.find(
        (node) => node instanceof HTMLElement && node.isConnected && node.matches('[tabindex="-1"]'),
      )
      if (container instanceof HTMLElement) container.focus({ preventScroll: true })
    })
    element.addEventListener('focusin', remember)
    document.addEventListener('pointerdown', forget)
    observer.observe(element, { childList: true, subtree: true })
    return () => {
      element.removeEventListener('focusin', remember)
      document.removeEventListener('pointerdown', forget)
      observer.disconnect()
    }
  }, [region])
}

/**
 * The dashboard and the setup are in English if they are not translated into the page's language. `lang` lets
 * screen readers read English; `dir` keeps punctuation at the end of lines in an Arabic document.
 */
function languageOf({ id }: Route): { lang?: string; dir?: 'ltr' | 'rtl' } {
  const locale = dashboardLocale(LOCALE)
  return locale !== LOCALE && /^\/(dashboard|setup)\b/.test(id)
    ? { lang: locale, dir: directionOf(locale) }
    : {}
}

/** Changes the elements that the server rendered, because browsers ignore a second title. */
function useHead({ path, title, description, isIndexed }: Route) {
  useEffect(() => {
    document.title = routeText(title, CAMPAIGN.token)
    findOrAddMeta('description').content = routeText(description, CAMPAIGN.token)
    findOrAddMeta('robots').content = isIndexed ? 'all' : 'noindex'
    const canonical = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]')
    // Keeps the origin of the link, because only the server knows the public origin.
    if (canonical) canonical.href = new URL(path, canonical.href).href
  }, [path, title, description, isIndexed])
}

function findOrAddMeta(name: string): HTMLMetaElement {
  const existing = document.head.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)
  if (existing) return existing
  const created = document.createElement('meta')
  created.name = name
  document.head.append(created)
  return created
}
