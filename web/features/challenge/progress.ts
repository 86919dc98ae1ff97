import { useSyncExternalStore } from 'react'

type Work = { done: number; controller: AbortController }

/** The one piece of work this page does for a challenge. */
let current: Work | undefined
const listeners = new Set<() => void>()

/** Says how much is done, from 0 to 1; undefined when there is nothing to do any more. */
export function showWork(work: Work | undefined): void {
  current = work
  for (const listener of listeners) listener()
}

/** Stops the work: whoever asked for it has gone. */
export function leaveWork(): void {
  current?.controller.abort()
  showWork(undefined)
}

/** @returns how much is done, from 0 to 1; undefined without work. */
export function useWorkDone(): number | undefined {
  return useSyncExternalStore(listen, () => current?.done)
}

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
