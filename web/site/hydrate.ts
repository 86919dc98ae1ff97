import { flushSync } from 'react-dom'
import { hydrateRoot } from 'react-dom/client'
import { animatePip } from '#web/features/pip/pip-alive.ts'
import { countView } from '#web/features/visits/count-view.ts'
import { islandElement } from './islands.tsx'

/** Hydrates each island in a task of its own, so that slow devices stay responsive. */
export async function hydrate(islands: readonly HTMLElement[]) {
  countView(location.pathname)
  animatePip()
  for (const island of islands) {
    await new Promise((resolve) => setTimeout(resolve))
    const props = JSON.parse(island.dataset['props'] ?? '{}') as object
    flushSync(() => hydrateRoot(island, islandElement(island.dataset['island'] ?? '', props)))
    repeatEarlyClick(island)
  }
  delete window.earlyClick
}

/** Repeats a click made before hydration. head.js records clicks while `window.earlyClick` exists. */
function repeatEarlyClick(island: HTMLElement) {
  const { earlyClick } = window
  const control = earlyClick instanceof Element ? earlyClick.closest<HTMLElement>('button') : null
  // The browser runs a button's `command` without a script.
  if (!control || control.hasAttribute('command') || !island.contains(control)) return
  window.earlyClick = null
  control.click()
}
