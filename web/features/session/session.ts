import * as z from 'zod/mini'
import { User } from '#contract/entities.ts'
import { forget, store, stored } from './storage.ts'

/** Whether somebody is logged in, as far as this browser knows; the server judges every call anyway. */
export function isLoggedIn(): boolean {
  return Boolean(stored('token'))
}

/** The account as it was at login; null when nobody is logged in or what is kept cannot be read. */
export function sessionUser(): User | null {
  const kept = z.safeParse(User, json(stored('user')))
  return kept.success ? kept.data : null
}

/** Keeps a session and ends what led to it; a role that this page does not know is kept as it came. */
export function startSession(token: string, user: Omit<User, 'role'> & { role: string }): void {
  endFlow()
  store('token', token)
  store('user', JSON.stringify(user))
}

/** Forgets the session and whatever a person typed or was in the middle of. */
export function endSession(): void {
  endFlow()
  forget('token', 'user', 'claimDraft')
}

/** Forgets the verification or reset that was under way. */
export function endFlow(): void {
  forget('userEmail', 'resetPasswordToken', 'resetSince')
}

/** Drops a token that the server no longer knows; a draft stays for the next login of the same person. */
export function dropDeadSession(): void {
  forget('token', 'user')
}

function json(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
