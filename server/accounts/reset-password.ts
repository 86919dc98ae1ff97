import { sql } from 'kysely'
import type { resetPassword as endpoint } from '#contract/accounts.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Deps } from '../deps.ts'
import { sendLater } from '../mail/send-later.ts'
import { inTransaction, type Tx } from '../platform/database.ts'
import { saltOf } from '../platform/password-hash.ts'
import { refuse } from '../platform/refusal.ts'
import { hashToken } from '../platform/secrets.ts'
import { deviceFor } from '../sessions/devices.ts'
import { endSessions } from '../sessions/end-sessions.ts'
import { forgetFailedLogins } from '../sessions/login-budget.ts'
import { closeCodes, lockEmail } from './codes.ts'
import { checkPassword, readEmail } from './rules.ts'

/**
 * Sets a new password with a reset token, once. Every session ends, every code and token is void, the
 * owner is told by mail. A token sent with another account's e-mail is void from then on.
 * @param held what the browser keeps of earlier logins, as it came.
 * @returns what it is to keep: the new password forgets every device, and strangers may have locked the account.
 */
export async function resetPassword(
  deps: Deps,
  input: BodyOf<typeof endpoint>,
  held?: string,
): Promise<string> {
  const email = readEmail(input.email)
  const tokenHash = hashToken(input.resetPasswordToken)
  const user = await tokenOwner(deps, tokenHash)
  if (user.email_key !== email.key) {
    await deps.db.deleteFrom('reset_tokens').where('token_hash', '=', tokenHash).execute()
    throw refuse('reset_token_invalid')
  }
  const known = { username: user.username, email, campaign: deps.campaign, admin: user.role === 'admin' }
  checkPassword(input.newPassword, known, 'newPassword')
  const passwordHash = await deps.hasher.hash(input.newPassword, saltOf(user.password_hash))
  await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    if (!(await consume(tx, tokenHash))) throw refuse('reset_token_invalid')
    await setPassword(tx, user.id, passwordHash)
    await endSessions(tx, user.id)
    await closeCodes(tx, 'reset-password', email.key)
    await forgetFailedLogins(tx, email.key)
    await sendLater(tx, { template: 'password-changed', to: user.email, values: { username: user.username } })
  })
  deps.wake('mail')
  return deviceFor(deps.keys, { id: user.id, password_hash: passwordHash }, held)
}

async function tokenOwner(deps: Deps, tokenHash: Buffer) {
  const user = await deps.db
    .selectFrom('reset_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['u.id', 'u.username', 'u.email', 'u.email_key', 'u.role', 'u.password_hash'])
    .where('t.token_hash', '=', tokenHash)
    .where('t.expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  if (!user) throw refuse('reset_token_invalid')
  return user
}

/** Of parallel resets with one token only the first finds it. */
async function consume(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const gone = await tx
    .deleteFrom('reset_tokens')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('user_id')
    .executeTakeFirst()
  return gone !== undefined
}

/** Writes the password of an account; reset tokens are void. */
export async function setPassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
  await voidResetTokens(tx, userId)
}

/**
 * Writes the password of an account only while it is still the one that was compared.
 * @returns whether it was.
 */
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

/** Makes every reset token of an account void. */
export async function voidResetTokens(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('reset_tokens').where('user_id', '=', userId).execute()
}
