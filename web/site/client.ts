/**
 * Loaded by a marketing page after its first paint. React and the islands load when the browser is idle, or
 * when an island is hovered, touched or focused. An early click is repeated. In a page that the browser
 * prerenders, all this waits until the visitor opens the page.
 */

import '../styles/site.css'
import { showState } from './allocation-state.ts'

declare global {
  interface Window {
    /** Target of the last click, recorded by static/head.js until the islands are hydrated. */
    earlyClick?: EventTarget | null
  }
}

const islands = [...document.querySelectorAll<HTMLElement>('[data-island]')]
const INTENT_EVENTS = ['pointerover', 'pointerdown', 'focusin'] as const
let hydration: Promise<void> | undefined

whenActivated(() => whenIdle(hydrateIslands))

for (const island of islands)
  for (const type of INTENT_EVENTS) island.addEventListener(type, hydrateIslands, { passive: true })
if (window.earlyClick instanceof Element && window.earlyClick.closest('[data-island]')) hydrateIslands()

const apiReader = document.querySelector('[data-api-reader]')
// If the reader cannot load, the list of endpoints remains.
if (apiReader)
  whenActivated(() => {
    import('./api-reader.ts').then(({ showApiReader }) => showApiReader(apiReader)).catch(() => {})
  })

const allocation = document.querySelector<HTMLElement>('[data-allocation]')
if (allocation)
  whenActivated(() => {
    import('./allocation-check.ts')
      .then(({ showAllocation }) => showAllocation(allocation))
      .catch(() => showState(allocation, 'unreachable'))
  })

function hydrateIslands() {
  hydration ??= import('./hydrate.ts').then(
    ({ hydrate }) => hydrate(islands),
    () => {
      // The network may be back when someone uses an island.
      hydration = undefined
    },
  )
}

function whenActivated(callback: () => void) {
  // Not in TypeScript's DOM types yet.
  const isPrerendering = 'prerendering' in document && document.prerendering === true
  if (isPrerendering) document.addEventListener('prerenderingchange', callback, { once: true })
  else callback()
}

function whenIdle(callback: () => void) {
  if ('requestIdleCallback' in window) requestIdleCallback(callback, { timeout: 2_000 })
  else setTimeout(callback, 200)
}
