import { endFlow } from './session.ts'
import { store, readStored } from './storage.ts'

/** What the server needs to set a new password. */
export type ResetPermission = { email: string; resetPasswordToken: string }

/** The server accepts no token for longer than this. */
const LIFETIME_MS = 600_000

/** Stores a reset token until it expires. */
export function storeResetToken(resetToken: string): void {
  store('resetPasswordToken', resetToken)
  store('resetSince', String(Date.now()))
  setTimeout(removeExpiredReset, LIFETIME_MS)
}

/** Null without an email or an unexpired reset token. A token of unknown age counts as new. */
export function readResetPermission(): ResetPermission | null {
  removeExpiredReset()
  const email = readStored('userEmail')
  const resetPasswordToken = readStored('resetPasswordToken')
  if (!email || !resetPasswordToken) return null
  if (!readStored('resetSince')) storeResetToken(resetPasswordToken)
  return { email, resetPasswordToken }
}

function removeExpiredReset(): void {
  const storedAt = readStored('resetSince')
  if (storedAt && Date.now() - Number(storedAt) >= LIFETIME_MS) endFlow()
}
