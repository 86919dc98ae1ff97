import * as z from 'zod/mini'
import { User } from '#contract/entities.ts'
import { forget, store, stored } from './storage.ts'

/** Whether this browser holds a token; the server authorizes every call anyway. */
export function isLoggedIn(): boolean {
  return Boolean(stored('token'))
}

/** The account as of login; null when not logged in or unreadable. */
export function sessionUser(): User | null {
  const kept = z.safeParse(User, json(stored('user')))
  return kept.success ? kept.data : null
}

/** Stores a session and ends the current flow. An unknown role is stored as received. */
export function startSession(token: string, user: Omit<User, 'role'> & { role: string }): void {
  endFlow()
  store('token', token)
  store('user', JSON.stringify(user))
}

/** Deletes the session, the current flow and the draft. */
export function endSession(): void {
  endFlow()
  forget('token', 'user', 'claimDraft')
}

/** Deletes the data of the current verification or reset. */
export function endFlow(): void {
  forget('userEmail', 'resetPasswordToken', 'resetSince')
}

/** Deletes a token that the server no longer accepts. The draft stays for the account's next login. */
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
