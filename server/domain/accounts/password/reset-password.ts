import type { resetPassword as resetEndpoint, verifyOtp } from '#contract/accounts/accounts.ts'
import type { BodyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { sendLater } from '#server/domain/mail/send-later.ts'
import { deviceFor, knownDevice } from '#server/domain/sessions/devices.ts'
import { resetFailedLogins } from '#server/domain/sessions/login-limits.ts'
import { endSessions } from '#server/domain/sessions/session.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { fromNow, NOW } from '#server/platform/database/times.ts'
import { cancel } from '#server/platform/jobs/jobs.ts'
import { refuse } from '#server/platform/refusal.ts'
import { hashToken, newToken } from '#server/platform/secrets.ts'
import {
  admitRequest,
  attachMail,
  closeCodes,
  issueCode,
  lockEmail,
  NOBODY,
} from '../codes/one-time-codes.ts'
import { refuseCode, verifyCode } from '../codes/verify-code.ts'
import { flowBrowserOf } from '../flow-browser.ts'
import { findByEmail } from '../user.ts'
import { readEmail } from '../validate-fields.ts'
import { hashNewPassword, setPassword, voidResetTokens } from './password.ts'

export type CodeSource = {
  network: string
  /** Unverified. */
  deviceCookie?: string | undefined
}

/**
 * Mails a reset code, or nothing if the email is unknown; the reply is the same. A device that has logged in
 * to the account before has its own cooldown.
 * @throws refusal `code_cooldown` with the seconds to wait.
 */
export async function sendResetCode(deps: Deps, typedEmail: string, from: CodeSource): Promise<void> {
  const email = readEmail(typedEmail)
  await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    const user = await findByEmail(tx, email.key)
    const device = knownDevice(deps.keys, user, from.deviceCookie)
    const request = { purpose: 'reset-password', emailKey: email.key, device } as const
    await admitRequest(tx, deps.keys, { ...request, network: from.network })
    const owner = user ? { userId: user.id } : NOBODY
    const { id, nonce, runAt, usefulUntil } = await issueCode(tx, deps.keys, { ...request, owner })
    const { email: to, username } = user ?? { email: email.address, username: '' }
    const mail = { template: 'reset-password', to, values: { username, nonce } }
    const job = await sendLater(tx, mail, { runAt, usefulUntil })
    // The same number of statements either way, so that timing does not reveal whether an account exists.
    await (user ? attachMail(tx, id, job) : cancel(tx, [job]))
  })
  deps.runSoon('mail')
}

const TOKEN_LIFETIME = '10 minutes'

/**
 * Exchanges a reset code for a reset token and voids the account's older tokens.
 * @param cookies unverified.
 * @returns the token; only its hash is stored.
 * @throws refusals `code_invalid`, `code_exhausted` and `guesses_exhausted`.
 */
export async function exchangeResetCode(
  deps: Deps,
  input: BodyOf<typeof verifyOtp>,
  cookies: { flow: string | undefined; device: string | undefined },
): Promise<string> {
  const email = readEmail(input.email)
  const browser = flowBrowserOf(deps.keys, email.key, cookies.flow)
  const token = newToken()
  const result = await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    const device = knownDevice(deps.keys, await findByEmail(tx, email.key), cookies.device)
    const verifier = { purpose: 'reset-password', emailKey: email.key, browser, device } as const
    const attempt = await verifyCode(tx, deps.keys, verifier, input.otp)
    if ('rejected' in attempt) return attempt
    // The guessed code of an unknown email, to which no code was mailed.
    if (!attempt.accepted.userId) return { rejected: 'code_invalid' as const }
    await storeToken(tx, attempt.accepted.userId, token)
    return attempt
  })
  if ('rejected' in result) throw refuseCode(result)
  return token
}

async function storeToken(tx: Tx, userId: string, token: string): Promise<void> {
  await voidResetTokens(tx, userId)
  await tx
    .insertInto('reset_tokens')
    .values({ token_hash: hashToken(token), user_id: userId, expires_at: fromNow(TOKEN_LIFETIME) })
    .execute()
}

/**
 * Sets a new password with a single-use reset token. Ends every session, voids every reset code and token,
 * and mails the owner. A token that is sent with another account's email is voided.
 * @param deviceCookie unverified.
 * @returns the new device cookie: the new password voids the old ones. Without it, this browser could not log
 * in while strangers have locked the account.
 * @throws refusals `reset_token_invalid`, and `invalid_input` naming `newPassword`.
 */
export async function resetPassword(
  deps: Deps,
  input: BodyOf<typeof resetEndpoint>,
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

/** @returns whether the token was valid. Of several parallel resets, only the first gets true. */
async function consumeToken(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const consumed = await tx
    .deleteFrom('reset_tokens')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', NOW)
    .returning('user_id')
    .executeTakeFirst()
  return consumed !== undefined
}
