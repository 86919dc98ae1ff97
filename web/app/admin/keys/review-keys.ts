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

/** Keyboard shortcuts of the list. Ignores keys typed into a field or pressed with a modifier. */
export function reviewKeys(keys: ReviewKeys) {
  return (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target, repeat } = event
    const act = ACTION[key]
    if (!act || ctrlKey || metaKey || altKey) return
    if (target instanceof HTMLElement && target.matches('input:not([type="checkbox"]), textarea, select'))
      return
    // On auto-repeat only navigation continues; decisions fire once.
    if (repeat && key !== 'j' && key !== 'k') return
    event.preventDefault()
    act(keys)
  }
}
