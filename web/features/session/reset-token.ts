import { endFlow } from './session.ts'
import { store, stored } from './storage.ts'

/** What the server asks for when a new password is set. */
export type ResetPermission = { email: string; resetPasswordToken: string }

/** Milliseconds. The server lets no token live longer. */
const LIFE = 600_000

/** Keeps a token that the server has just given, for as long as it lives there. */
export function keepResetToken(token: string): void {
  store('resetPasswordToken', token)
  store('resetSince', String(Date.now()))
  setTimeout(dropOldReset, LIFE)
}

/**
 * Null when something is missing, or the token is so old that the server cannot know it any more. One whose age
 * is not known counts from now.
 */
export function resetPermission(): ResetPermission | null {
  dropOldReset()
  const email = stored('userEmail')
  const resetPasswordToken = stored('resetPasswordToken')
  if (!email || !resetPasswordToken) return null
  if (!stored('resetSince')) keepResetToken(resetPasswordToken)
  return { email, resetPasswordToken }
}

/** Forgets a reset that nobody finished in time. */
function dropOldReset(): void {
  const since = stored('resetSince')
  if (since && Date.now() - Number(since) >= LIFE) endFlow()
}
