import type { resetPassword as endpoint } from '#contract/accounts/accounts.ts'
import type { BodyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { sendLater } from '#server/domain/mail/send-later.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { NOW } from '#server/platform/database/times.ts'
import { saltOf } from '#server/platform/passwords/password-hash.ts'
import { refuse } from '#server/platform/refusal.ts'
import { hashToken } from '#server/platform/secrets.ts'
import { deviceFor } from '#server/domain/sessions/devices.ts'
import { endSessions } from '#server/domain/sessions/session.ts'
import { resetFailedLogins } from '#server/domain/sessions/login-limits.ts'
import { closeCodes, lockEmail } from '../codes/one-time-codes.ts'
import { checkPassword, readEmail } from '../validate-fields.ts'

/**
 * Sets a new password with a single-use reset token. Ends every session, voids every reset code and token,
 * and mails the owner. A token sent with an email other than its account's is voided.
 * @param deviceCookie unverified.
 * @returns the new device cookie: the new password voids the old ones. Without it, this browser could not log
 * in while strangers have locked the account.
 * @throws refusals `reset_token_invalid`, and `invalid_input` naming `newPassword`.
 */
export async function resetPassword(
  deps: Deps,
  input: BodyOf<typeof endpoint>,
  deviceCookie?: string,
): Promise<string> {
  const email = readEmail(input.email)
  const tokenHash = hashToken(input.resetPasswordToken)
  const user = await findTokenOwner(deps, tokenHash)
  if (user.email_key !== email.key) {
    await deps.db.deleteFrom('reset_tokens').where('token_hash', '=', tokenHash).execute()
    throw refuse('reset_token_invalid')
  }
  const owner = { ...user, isAdmin: user.role === 'admin' }
  const passwordHash = await hashNewPassword(deps, owner, input.newPassword)
  await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    if (!(await consumeToken(tx, tokenHash))) throw refuse('reset_token_invalid')
    await setPassword(tx, user.id, passwordHash)
    await endSessions(tx, user.id)
    await closeCodes(tx, 'reset-password', email.key)
    await resetFailedLogins(tx, email.key)
    await sendLater(tx, { template: 'password-changed', to: user.email, values: { username: user.username } })
  })
  deps.runSoon('mail')
  return deviceFor(deps.keys, { id: user.id, password_hash: passwordHash }, deviceCookie)
}

async function findTokenOwner(deps: Deps, tokenHash: Buffer) {
  const user = await deps.db
    .selectFrom('reset_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['u.id', 'u.username', 'u.email', 'u.email_key', 'u.role', 'u.password_hash as passwordHash'])
    .where('t.token_hash', '=', tokenHash)
    .where('t.expires_at', '>', NOW)
    .executeTakeFirst()
  if (!user) throw refuse('reset_token_invalid')
  return user
}

type Owner = { username: string; email: string; passwordHash: string; isAdmin: boolean }

/**
 * Checks and hashes a new password. Keeps the account's salt, which registrations of its email share.
 * @throws refusal `invalid_input` naming `newPassword`.
 */
export async function hashNewPassword(
  { hasher, campaign }: Pick<Deps, 'hasher' | 'campaign'>,
  { username, email, passwordHash, isAdmin }: Owner,
  password: string,
): Promise<string> {
  await checkPassword(password, { username, email: readEmail(email), campaign, isAdmin }, 'newPassword')
  return hasher.hash(password, saltOf(passwordHash))
}

/** @returns whether the token was valid: of several parallel resets, only the first finds it. */
async function consumeToken(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const consumed = await tx
    .deleteFrom('reset_tokens')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', NOW)
    .returning('user_id')
    .executeTakeFirst()
  return consumed !== undefined
}

/** Sets the password of an account and voids its reset tokens. */
export async function setPassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
  await voidResetTokens(tx, userId)
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

export async function voidResetTokens(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('reset_tokens').where('user_id', '=', userId).execute()
}
