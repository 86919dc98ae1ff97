import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { verifyEmail as endpoint } from '#contract/accounts.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Deps } from '../deps.ts'
import { inTransaction, type Tx } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { enterBoard } from '../points/board.ts'
import { closeCodes, guess, lockEmail, refuseGuess } from './codes.ts'
import { readEmail } from './rules.ts'

/** Activates the one registration that the code was mailed for; the others of that e-mail are gone. */
export async function verifyEmail(deps: Deps, input: BodyOf<typeof endpoint>): Promise<void> {
  const email = readEmail(input.email)
  const result = await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    const guessed = await guess(tx, deps.keys, 'verify-email', email.key, input.otp)
    if ('wrong' in guessed) return guessed
    const activated = await activate(tx, deps, guessed.right.registrationId, email.twin)
    return activated ? guessed : { wrong: 'code_invalid' as const }
  })
  if ('wrong' in result) throw refuseGuess(result)
}

async function activate(
  tx: Tx,
  deps: Deps,
  registrationId: string | null,
  emailTwin: string,
): Promise<boolean> {
  const registration = await tx
    .selectFrom('registrations')
    .selectAll()
    .where('id', '=', registrationId)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  if (!registration) return false
  const userId = newId()
  await tx
    .insertInto('users')
    .values({
      id: userId,
      username: registration.username,
      email: registration.email,
      email_key: registration.email_key,
      email_twin: emailTwin,
      password_hash: registration.password_hash,
      locale: registration.locale,
      referral_code: newReferralCode(),
      referred_by: registration.referred_by,
    })
    .execute()
  await takeUsername(tx, registration.username, userId)
  await closeCodes(tx, 'verify-email', registration.email_key)
  await tx.deleteFrom('registrations').where('email_key', '=', registration.email_key).execute()
  await tx.deleteFrom('usernames').where('held_for', '=', registration.email_key).execute()
  await enterBoard(tx, deps.campaign.id, userId)
  return true
}

/** Turns the hold into possession. */
export async function takeUsername(tx: Tx, username: string, userId: string): Promise<void> {
  await tx
    .insertInto('usernames')
    .values({ key: username.toLowerCase(), user_id: userId })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ user_id: userId, held_for: null, held_until: null }),
    )
    .execute()
}

/** Without the letters that people mistake for others. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 50 random bits: not a secret, but nobody finds one by trying. */
export function newReferralCode(): string {
  return Array.from(randomBytes(10), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}
