import { endFlow } from './session.ts'
import { store, stored } from './storage.ts'

/** What the server requires to set a new password. */
export type ResetPermission = { email: string; resetPasswordToken: string }

/** Milliseconds. Upper bound of the token's lifetime on the server. */
const LIFE = 600_000

/** Stores a new token and deletes it when it expires. */
export function keepResetToken(token: string): void {
  store('resetPasswordToken', token)
  store('resetSince', String(Date.now()))
  setTimeout(dropOldReset, LIFE)
}

/** Null if something is missing or the token has expired. A token of unknown age is treated as new. */
export function resetPermission(): ResetPermission | null {
  dropOldReset()
  const email = stored('userEmail')
  const resetPasswordToken = stored('resetPasswordToken')
  if (!email || !resetPasswordToken) return null
  if (!stored('resetSince')) keepResetToken(resetPasswordToken)
  return { email, resetPasswordToken }
}

/** Deletes an expired reset. */
function dropOldReset(): void {
  const since = stored('resetSince')
  if (since && Date.now() - Number(since) >= LIFE) endFlow()
}
