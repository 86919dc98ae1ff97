import type { KeyboardEvent } from 'react'

export type ReviewKeys = {
  move: (by: 1 | -1) => void
  open: () => void
  verify: () => void
  reject: () => void
  undo: () => void
  select: () => void
  help: () => void
}

const ACTION: Record<string, (keys: ReviewKeys) => void> = {
  j: ({ move }) => move(1),
  k: ({ move }) => move(-1),
  o: ({ open }) => open(),
  v: ({ verify }) => verify(),
  r: ({ reject }) => reject(),
  u: ({ undo }) => undo(),
  x: ({ select }) => select(),
  '?': ({ help }) => help(),
}

/**
 * What the list does with a key: it hears only those pressed within it, none that are typed into a field,
 * and none that the browser or a screen reader has a use for.
 */
export function reviewKeys(keys: ReviewKeys) {
  return (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target, repeat } = event
    const act = ACTION[key]
    if (!act || ctrlKey || metaKey || altKey) return
    if (target instanceof HTMLElement && target.matches('input:not([type="checkbox"]), textarea, select'))
      return
    // A key that is held down moves on, but decides once.
    if (repeat && key !== 'j' && key !== 'k') return
    event.preventDefault()
    act(keys)
  }
}
