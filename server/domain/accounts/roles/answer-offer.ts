import type { Deps } from '#server/deps.ts'
import { record } from '#server/domain/journal/record.ts'
import { sendLater } from '#server/domain/mail/send-later.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { refuse } from '#server/platform/refusal.ts'
import { closeCodes, lockEmail } from '../codes/one-time-codes.ts'
import { makeAdministrator } from '../create-administrator.ts'
import { verifyCurrentPassword, wrongPassword } from '../password/current-password.ts'
import { hashNewPassword } from '../password/reset-password.ts'
import { readEmail } from '../validate-fields.ts'

type Passwords = { currentPassword: string; newPassword: string }

/**
 * Accepts the offer to become an administrator: sets a new password and ends every session of the account.
 * @throws refusals `current_password_wrong`, `no_role_offer`, and `invalid_input` naming `newPassword`.
 */
export async function acceptRole(
  deps: Deps,
  { userId }: Caller,
  { currentPassword, newPassword }: Passwords,
  network: string,
): Promise<void> {
  const user = await verifyCurrentPassword(deps, userId, currentPassword, 'currentPassword')
  const email = readEmail(user.email)
  const passwordHash = await hashNewPassword(deps, { ...user, isAdmin: true }, newPassword)
  await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    const locked = await lockUser(tx, userId)
    if (locked?.password_hash !== user.passwordHash) throw wrongPassword('currentPassword')
    if (!locked.role_offered_at) throw refuse('no_role_offer')
    await makeAdministrator(tx, userId, passwordHash)
    await closeCodes(tx, 'reset-password', email.key)
    await record(tx, {
      actor: userId,
      action: 'role.changed',
      subject: userId,
      before: { role: 'user' },
      after: { role: 'admin', ...(locked.role_offered_by ? { offered_by: locked.role_offered_by } : {}) },
      network,
    })
    await sendLater(tx, { template: 'password-changed', to: user.email, values: { username: user.username } })
  })
  deps.runSoon('mail')
}

function lockUser(tx: Tx, userId: string) {
  return tx
    .selectFrom('users')
    .select(['password_hash', 'role_offered_at', 'role_offered_by'])
    .where('id', '=', userId)
    .where('banned_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

/** Declines the offer. @throws refusal `no_role_offer`. */
export async function declineRole(deps: Deps, { userId }: Caller, network: string): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const declined = await tx
      .updateTable('users')
      .set({ role_offered_at: null, role_offered_by: null })
      .where('id', '=', userId)
      .where('role_offered_at', 'is not', null)
      .returning('id')
      .executeTakeFirst()
    if (!declined) throw refuse('no_role_offer')
    await record(tx, { actor: userId, action: 'role.offer_declined', subject: userId, network })
  })
}
