import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import type { Route } from '#web/routes.ts'
import { MAIN_ID } from '#web/features/layout/chrome.ts'
import { useHead } from './use-head.ts'

/** False for the first screen: the browser itself announces and scrolls it. */
let hasShownScreen = false

type MainRegionProps = { route: Route; className?: string; children: ReactNode }

/** The `main` element of a screen. After client-side navigation it scrolls up and takes the focus. */
export function MainRegion({ route, className, children }: MainRegionProps) {
  useHead(route)
  const main = useRef<HTMLElement>(null)

  useEffect(() => {
    if (hasShownScreen) {
      window.scrollTo(0, 0)
      // An autofocused field keeps the focus.
      if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
    }
    hasShownScreen = true
  }, [])

  return (
    <main ref={main} id={MAIN_ID} tabIndex={-1} className={className}>
      {children}
    </main>
  )
}
