import { islandElement, type IslandName, type IslandProps } from './islands.ts'

/**
 * Renders an interactive component with its props for `hydrate.ts`. Props must survive JSON, and the
 * component must not use `useId`: in the browser it is a root of its own.
 * `when`: hydrates when the browser is idle, or only when it is hovered, touched or focused.
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
