import type { changePassword as endpoint } from '#contract/accounts.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Deps } from '../deps.ts'
import { sendLater } from '../mail/send-later.ts'
import { inTransaction } from '../platform/database.ts'
import type { Caller } from '../platform/http/route.ts'
import { saltOf } from '../platform/password-hash.ts'
import { refuse } from '../platform/refusal.ts'
import { deviceFor } from '../sessions/devices.ts'
import { endSessions } from '../sessions/end-sessions.ts'
import { closeCodes, lockEmail } from './codes.ts'
import { replacePassword, voidResetTokens } from './reset-password.ts'
import { checkPassword, readEmail } from './rules.ts'

/**
 * Sets a new password for who knows the current one; every other session of the account ends.
 * @param held what the browser keeps of earlier logins, as it came.
 * @returns what it is to keep: the new password forgets every device.
 */
export async function changePassword(
  deps: Deps,
  caller: Caller,
  input: BodyOf<typeof endpoint>,
  held?: string,
): Promise<string> {
  const user = await deps.db
    .selectFrom('users')
    .select(['username', 'email', 'password_hash'])
    .where('id', '=', caller.userId)
    .executeTakeFirstOrThrow()
  const [right] = await deps.hasher.matches(input.currentPassword, user.password_hash)
  if (!right) throw wrongPassword()
  const email = readEmail(user.email)
  const known = { username: user.username, email, campaign: deps.campaign, admin: caller.role === 'admin' }
  checkPassword(input.newPassword, known, 'newPassword')
  const passwordHash = await deps.hasher.hash(input.newPassword, saltOf(user.password_hash))
  await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    // A reset in between must stand: what was compared is not the current password any more.
    const passwords = { from: user.password_hash, to: passwordHash }
    if (!(await replacePassword(tx, caller.userId, passwords))) throw wrongPassword()
    await voidResetTokens(tx, caller.userId)
    await closeCodes(tx, 'reset-password', email.key)
    await endSessions(tx, caller.userId, { but: caller.tokenHash })
    await sendLater(tx, { template: 'password-changed', to: user.email, values: { username: user.username } })
  })
  deps.wake('mail')
  return deviceFor(deps.keys, { id: caller.userId, password_hash: passwordHash }, held)
}

const wrongPassword = () =>
  refuse('current_password_wrong', { fields: { currentPassword: 'current_password_wrong' } })
