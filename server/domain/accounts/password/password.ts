import type { changePassword as endpoint } from '#contract/accounts/accounts.ts'
import type { BodyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { sendLater } from '#server/domain/mail/send-later.ts'
import { deviceFor } from '#server/domain/sessions/devices.ts'
import { endSessions } from '#server/domain/sessions/session.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { saltOf } from '#server/platform/passwords/password-hash.ts'
import { refuse, type Refusal } from '#server/platform/refusal.ts'
import { closeCodes, lockEmail } from '../codes/one-time-codes.ts'
import { checkPassword, readEmail } from '../validate-fields.ts'

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
    // A reset may have replaced the password since it was verified.
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

type Owner = { username: string; email: string; passwordHash: string }

/**
 * @param field the form's field, which the refusal names.
 * @throws refusals `current_password_wrong`, and `unauthenticated` if the account has been deleted.
 */
export async function verifyCurrentPassword(
  { db, hasher }: Pick<Deps, 'db' | 'hasher'>,
  userId: string,
  password: string,
  field: string,
): Promise<Owner> {
  const user = await db
    .selectFrom('users')
    .select(['username', 'email', 'password_hash as passwordHash'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!user) throw refuse('unauthenticated')
  const [isCorrect] = await hasher.matches(password, user.passwordHash)
  if (!isCorrect) throw wrongPassword(field)
  return user
}

export const wrongPassword = (field: string): Refusal =>
  refuse('current_password_wrong', { fields: { [field]: 'current_password_wrong' } })

/**
 * Checks and hashes a new password. Keeps the account's salt, which registrations of its email share.
 * @throws refusal `invalid_input` naming `newPassword`.
 */
export async function hashNewPassword(
  { hasher, campaign }: Pick<Deps, 'hasher' | 'campaign'>,
  { username, email, passwordHash, isAdmin }: Owner & { isAdmin: boolean },
  password: string,
): Promise<string> {
  await checkPassword(password, { username, email: readEmail(email), campaign, isAdmin }, 'newPassword')
  return hasher.hash(password, saltOf(passwordHash))
}

/** Replaces the password hash of an account if it is still `from`. @returns whether it was. */
export async function replacePassword(
  tx: Tx,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const user = await tx
    .updateTable('users')
    .set({ password_hash: to })
    .where('id', '=', userId)
    .where('password_hash', '=', from)
    .returning('id')
    .executeTakeFirst()
  return user !== undefined
}

/** Replaces any password, and voids the account's reset tokens. */
export async function setPassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
  await voidResetTokens(tx, userId)
}

export async function voidResetTokens(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('reset_tokens').where('user_id', '=', userId).execute()
}
