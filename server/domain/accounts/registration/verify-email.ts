import { randomBytes } from 'node:crypto'
import type { verifyEmail as endpoint } from '#contract/accounts/accounts.ts'
import type { BodyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { NOW } from '#server/platform/database/times.ts'
import { addToLeaderboard } from '#server/domain/ledger/board.ts'
import { recordNetworkVisit } from '#server/domain/signals/network.ts'
import { flowBrowserOf } from '../flow-browser.ts'
import { closeCodes, lockEmail } from '../codes/one-time-codes.ts'
import { verifyCode, refuseCode } from '../codes/verify-code.ts'
import { readEmail } from '../validate-fields.ts'
import { takeUsername } from './holds.ts'

/**
 * Turns the code's registration into an account, and deletes all other registrations of the email.
 * @throws refusals `code_invalid`, `code_exhausted` and `guesses_exhausted`.
 */
export async function verifyEmail(
  deps: Deps,
  input: BodyOf<typeof endpoint>,
  { flowCookie, network }: { flowCookie: string | undefined; network: string },
): Promise<void> {
  const email = readEmail(input.email)
  const browser = flowBrowserOf(deps.keys, email.key, flowCookie)
  const result = await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    const verifier = { purpose: 'verify-email', emailKey: email.key, browser } as const
    const attempt = await verifyCode(tx, deps.keys, verifier, input.otp)
    if ('rejected' in attempt) return attempt
    const userId = await activate(tx, deps, attempt.accepted.registrationId, email.canonical)
    if (!userId) return { rejected: 'code_invalid' as const }
    await recordNetworkVisit(tx, deps, { userId, event: 'sign-up', network })
    return attempt
  })
  if ('rejected' in result) throw refuseCode(result)
}

/** @returns the new account's id; undefined if the registration has expired or its name or email is taken. */
async function activate(
  tx: Tx,
  deps: Deps,
  registrationId: string | null,
  canonicalEmail: string,
): Promise<string | undefined> {
  const registration = await tx
    .selectFrom('registrations as r')
    .select(['username', 'email', 'email_key', 'password_hash', 'locale'])
    .select(['referred_by', 'announcements_at', 'arrived_from'])
    .where('id', '=', registrationId)
    .where('expires_at', '>', NOW)
    // A second line of defense: no guess matches the code of a registration whose email has an account.
    .where((where) =>
      where.not(where.exists(where.selectFrom('users').whereRef('users.email_key', '=', 'r.email_key'))),
    )
    .executeTakeFirst()
  if (!registration) return undefined
  const userId = newId()
  if (!(await takeUsername(tx, registration.username, userId, registration.email_key))) return undefined
  await tx
    .insertInto('users')
    .values({
      ...registration,
      id: userId,
      canonical_email: canonicalEmail,
      referral_code: newReferralCode(),
    })
    .execute()
  await deletePendingRegistrations(tx, registration.email_key)
  await addToLeaderboard(tx, deps.campaign.id, userId)
  return userId
}

/** Deletes an email's registrations and held usernames, and closes their codes. */
export async function deletePendingRegistrations(tx: Tx, emailKey: string): Promise<void> {
  await closeCodes(tx, 'verify-email', emailKey)
  await tx.deleteFrom('registrations').where('email_key', '=', emailKey).execute()
  await tx.deleteFrom('usernames').where('held_for', '=', emailKey).execute()
}

/** Crockford's base32: without confusable letters. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Anyone may know a referral code, but with 50 random bits nobody can enumerate them. */
export function newReferralCode(): string {
  return Array.from(randomBytes(10), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}
