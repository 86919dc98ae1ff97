import { flushSync } from 'react-dom'
import { hydrateRoot } from 'react-dom/client'
import { bringPipToLife } from '#web/features/pip/pip-alive.ts'
import { islandElement } from './islands.ts'

/** Brings the printed islands to life; when it returns, they answer. */
export function hydrate(islands: readonly HTMLElement[]) {
  flushSync(() => {
    for (const island of islands) {
      const props = JSON.parse(island.dataset['props'] ?? '{}') as object
      hydrateRoot(island, islandElement(island.dataset['island'] ?? '', props))
    }
  })
  bringPipToLife()
}
