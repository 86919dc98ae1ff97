import type { changePassword as endpoint } from '#contract/accounts/accounts.ts'
import type { BodyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { sendLater } from '#server/domain/mail/send-later.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { deviceFor } from '#server/domain/sessions/devices.ts'
import { endSessions } from '#server/domain/sessions/session.ts'
import { closeCodes, lockEmail } from '../codes/one-time-codes.ts'
import { verifyCurrentPassword, wrongPassword } from './current-password.ts'
import { hashNewPassword, replacePassword, voidResetTokens } from './reset-password.ts'
import { readEmail } from '../validate-fields.ts'

/**
 * Sets a new password, given the current one, and ends every other session of the account.
 * @param deviceCookie unverified.
 * @returns the new device cookie; the new password voids the old ones.
 * @throws refusals `current_password_wrong`, and `invalid_input` naming `newPassword`.
 */
export async function changePassword(
  deps: Deps,
  caller: Caller,
  input: BodyOf<typeof endpoint>,
  deviceCookie?: string,
): Promise<string> {
  const user = await verifyCurrentPassword(deps, caller.userId, input.currentPassword, 'currentPassword')
  const email = readEmail(user.email)
  const isAdmin = caller.role === 'admin'
  const passwordHash = await hashNewPassword(deps, { ...user, isAdmin }, input.newPassword)
  await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    // After a reset that commits in between, the compared password is no longer current.
    const passwords = { from: user.passwordHash, to: passwordHash }
    if (!(await replacePassword(tx, caller.userId, passwords))) throw wrongPassword('currentPassword')
    await voidResetTokens(tx, caller.userId)
    await closeCodes(tx, 'reset-password', email.key)
    await endSessions(tx, caller.userId, { except: caller.tokenHash })
    await sendLater(tx, { template: 'password-changed', to: user.email, values: { username: user.username } })
  })
  deps.runSoon('mail')
  return deviceFor(deps.keys, { id: caller.userId, password_hash: passwordHash }, deviceCookie)
}
