import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { User } from '#contract/entities.ts'
import { removeStored, store, readStored, readStoredJson } from './storage.ts'

/** Whether this browser has a token. The server authorizes every call anyway. */
export function isLoggedIn(): boolean {
  return Boolean(readStored('token'))
}

/** Calls `listener` when another tab may have logged in or out. @returns a function that ends this. */
export function followOtherTabs(listener: () => void): () => void {
  // `pageshow`, because a page in the back/forward cache gets no `storage` events.
  const events = ['storage', 'pageshow']
  for (const type of events) addEventListener(type, listener)
  return () => {
    for (const type of events) removeEventListener(type, listener)
  }
}

/** {@link isLoggedIn}, updated when another tab logs in or out. */
export const useIsLoggedIn = (): boolean => useSyncExternalStore(followOtherTabs, isLoggedIn)

/** The account whose data this page shows. Stays after its session has expired, until {@link endSession}. */
let shownAccountId = sessionUser()?._id

/**
 * Whether another tab has logged in to a different account than the one that this page shows. Input from this
 * page would be sent in that account's name.
 */
export function hasOtherAccount(): boolean {
  const storedId = sessionUser()?._id
  return shownAccountId !== undefined && storedId !== undefined && storedId !== shownAccountId
}

/** The account as of login; null if no one is logged in or the stored account is unreadable. */
export function sessionUser(): User | null {
  const user = z.safeParse(User, readStoredJson('user'))
  return user.success ? user.data : null
}

/** Stores a session and ends the current flow and invitation. An unknown role is stored as it is. */
export function startSession(token: string, user: Omit<User, 'role'> & { role: string }): void {
  endFlow()
  removeStored('referral')
  store('token', token)
  store('user', JSON.stringify(user))
  shownAccountId = user._id
}

/** Deletes the session, the current flow and all drafts. */
export function endSession(): void {
  endFlow()
  removeStored('token', 'user', 'claimDraft', 'appealDraft')
  shownAccountId = undefined
}

/** Deletes what the browser stores for the current flow: verifying an email or resetting a password. */
export function endFlow(): void {
  removeStored('userEmail', 'resetPasswordToken', 'resetSince')
}

/** After a 401: deletes the session of the token unless another login has replaced it. Keeps drafts. */
export function removeExpiredSession(refusedToken: string | null): void {
  if (readStored('token') === refusedToken) removeStored('token', 'user')
}
