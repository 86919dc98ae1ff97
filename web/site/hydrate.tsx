import { flushSync } from 'react-dom'
import { hydrateRoot } from 'react-dom/client'
import { islandNamed } from './islands.tsx'

/** Brings the printed islands to life; when it returns, they answer. */
export function hydrate(islands: readonly HTMLElement[]) {
  flushSync(() => {
    for (const island of islands) {
      const Part = islandNamed(island.dataset['island'] ?? '')
      const props = JSON.parse(island.dataset['props'] ?? '{}') as object
      if (Part) hydrateRoot(island, <Part {...props} />)
    }
  })
}
