import { islandElement } from './islands.ts'
import type { IslandName, IslandProps } from './islands.ts'

/**
 * Prints an interactive part with what it needs to come alive: `hydrate.ts` finds it by the attribute.
 * Props must survive JSON, and the part must not use `useId`: in the browser it is a root of its own.
 * `when`: at the first idle moment, or only once somebody points at it or focuses it.
 */
export function Island<Name extends IslandName>({
  name,
  props,
  when = 'idle',
}: {
  name: Name
  props: IslandProps<Name>
  when?: 'idle' | 'touch'
}) {
  return (
    <div data-island={name} data-props={JSON.stringify(props)} data-when={when} className="contents">
      {islandElement(name, props as object)}
    </div>
  )
}
