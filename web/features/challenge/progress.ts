import { useSyncExternalStore } from 'react'

type Work = { progress: number; controller: AbortController }

/** A page solves one challenge at a time. */
let current: Work | undefined
const listeners = new Set<() => void>()

/** Publishes the progress, from 0 to 1; undefined when the work is over. */
export function publishProgress(work: Work | undefined): void {
  current = work
  for (const listener of listeners) listener()
}

/** Aborts the work. */
export function abortWork(): void {
  current?.controller.abort()
  publishProgress(undefined)
}

/** @returns the progress, from 0 to 1; undefined without work. */
export function useWorkProgress(): number | undefined {
  return useSyncExternalStore(subscribe, () => current?.progress)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
