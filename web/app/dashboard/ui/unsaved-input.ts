import { useSyncExternalStore } from 'react'
import { sessionUser } from '#web/features/session/session.ts'

export type UnsavedInput<T> = ReturnType<typeof createUnsavedInput<T>>

/**
 * Unsaved input of the current account, kept while the tab is open, so that it survives a visit to another
 * screen and the end of the session.
 */
export function createUnsavedInput<T>(none: T) {
  let stored: { account: string | undefined; value: T } | undefined
  const listeners = new Set<() => void>()
  return {
    read: (): T => (stored !== undefined && stored.account === sessionUser()?._id ? stored.value : none),
    keep(value: T) {
      stored = { account: sessionUser()?._id, value }
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Follows the input, even if the call that saves it ends after the screen was left and opened again. */
export const useUnsavedInput = <T>({ subscribe, read }: UnsavedInput<T>): T =>
  useSyncExternalStore(subscribe, read)
