import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import type { Route } from '#web/routes.ts'
import { MAIN_ID } from '#web/features/layout/chrome.ts'
import { useHead } from './use-head.ts'

/** True from the second screen on: the first one is announced and placed by the browser itself. */
let arrived = false

type MainRegionProps = { route: Route; className?: string; children: ReactNode }

/** The main part of a screen. After a move inside the application it starts at the top and takes the focus. */
export function MainRegion({ route, className, children }: MainRegionProps) {
  useHead(route)
  const main = useRef<HTMLElement>(null)

  useEffect(() => {
    if (arrived) {
      window.scrollTo(0, 0)
      // A box that asked for the focus itself keeps it.
      if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
    }
    arrived = true
  }, [])

  return (
    <main ref={main} id={MAIN_ID} tabIndex={-1} className={className}>
      {children}
    </main>
  )
}
