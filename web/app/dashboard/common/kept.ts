import { useSyncExternalStore } from 'react'
import { sessionUser } from '#web/features/session/session.ts'

export type Kept<T> = ReturnType<typeof createKept<T>>

/**
 * Unsaved input of the current account, kept while the tab is open, so that it survives a visit to another
 * screen and the end of the session.
 */
export function createKept<T>(none: T) {
  let kept: { account: string | undefined; value: T } | undefined
  const listeners = new Set<() => void>()
  return {
    read: (): T => (kept !== undefined && kept.account === sessionUser()?._id ? kept.value : none),
    keep(value: T) {
      kept = { account: sessionUser()?._id, value }
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Follows what is kept, even if a call ends after its screen was left and opened again. */
export const useKept = <T>({ subscribe, read }: Kept<T>): T => useSyncExternalStore(subscribe, read)
