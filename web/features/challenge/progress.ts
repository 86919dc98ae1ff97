import { useSyncExternalStore } from 'react'

type Work = { done: number; controller: AbortController }

/** A page solves one challenge at a time. */
let current: Work | undefined
const listeners = new Set<() => void>()

/** Publishes the progress, from 0 to 1; undefined when the work is over. */
export function showWork(work: Work | undefined): void {
  current = work
  for (const listener of listeners) listener()
}

/** Aborts the work. */
export function leaveWork(): void {
  current?.controller.abort()
  showWork(undefined)
}

/** @returns the progress, from 0 to 1; undefined without work. */
export function useWorkDone(): number | undefined {
  return useSyncExternalStore(listen, () => current?.done)
}

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
