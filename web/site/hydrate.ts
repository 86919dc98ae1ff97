import { flushSync } from 'react-dom'
import { hydrateRoot } from 'react-dom/client'
import { bringPipToLife } from '#web/features/pip/pip-alive.ts'
import { islandElement } from './islands.ts'

/** Brings the printed islands to life, each in a task of its own: a slow phone can answer between them. */
export async function hydrate(islands: readonly HTMLElement[]) {
  bringPipToLife()
  for (const island of islands) {
    await nextTask()
    hydrateIsland(island)
    repeatEarlyClick(island)
  }
  delete window.earlyClick
}

function hydrateIsland(island: HTMLElement) {
  const props = JSON.parse(island.dataset['props'] ?? '{}') as object
  flushSync(() => hydrateRoot(island, islandElement(island.dataset['island'] ?? '', props)))
}

/** Only now: later clicks on it are heard, and kept by head.js all the same until the last island is alive. */
function repeatEarlyClick(island: HTMLElement) {
  const { earlyClick } = window
  const control = earlyClick instanceof Element ? earlyClick.closest<HTMLElement>('button') : null
  // What a command opens is open: the browser needs no script for it.
  if (!control || control.hasAttribute('command') || !island.contains(control)) return
  window.earlyClick = null
  control.click()
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
