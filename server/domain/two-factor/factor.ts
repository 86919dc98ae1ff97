import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { RECOVERY_CODE_COUNT } from '#contract/accounts/two-factor.ts'
import type { Deps } from '#server/deps.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { plannedOnce } from '#server/platform/database/planned-once.ts'
import { NOW } from '#server/platform/database/times.ts'
import { limitsPerNetwork } from '#server/platform/limits/network.ts'
import {
  consumeInOrder,
  type RateLimit,
  refund,
  resetRateLimit,
} from '#server/platform/limits/rate-limiter.ts'
import { refuse } from '#server/platform/refusal.ts'

/**
 * Five tries lock an account's codes for 15 minutes, doubling up to a day. A try needs the password or a
 * session, so that strangers cannot lock an account's codes. The lock leaves out recovery codes, which nobody
 * guesses, so that someone who has stolen the password cannot lock the owner out, whatever they do about it.
 */
const TRIES: RateLimit = { take: 5, seconds: 900, lock: { maxSeconds: 86_400 } }
const TRIES_PER_NETWORK: RateLimit = { take: 30, seconds: 900 }
const STEP_SECONDS = 30

type FactorDeps = Pick<Deps, 'keys'>

const triesKey = (userId: string) => `second factor ${userId}`

/** Whether logging in to an account takes a code. */
export async function hasSecondFactor(db: Database | Tx, userId: string): Promise<boolean> {
  const factor = await plannedOnce(db)
    .selectFrom('second_factors')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return factor !== undefined
}

const typedCode = (code: string) => code.replace(/\s/g, '')
/** Whether a code is one of the authenticator, not a recovery code. */
const isOfAuthenticator = (typed: string) => /^\d{6}$/.test(typed)

type Try = { userId: string; network: string; code: string }

/**
 * Counts a try. Called before the code is compared, so that parallel tries cannot exceed the limit, and
 * outside the transaction of {@link spendCode}, so that a wrong try stays counted. A try that one limit
 * refuses counts toward no other: a network without tries left locks no account, and a locked account uses up
 * no tries of its network.
 * @throws refusal `rate_limited` with the seconds to wait.
 */
export async function consumeTry(db: Database, { userId, network, code }: Try): Promise<void> {
  const ofNetwork = limitsPerNetwork(network, 'second factor network', TRIES_PER_NETWORK)
  const ofAccount = isOfAuthenticator(typedCode(code)) ? [{ key: triesKey(userId), limit: TRIES }] : []
  const exceeded = await consumeInOrder(db, [...ofNetwork, ...ofAccount])
  if (!exceeded) return
  const keysBeforeExceeded = ofNetwork.slice(0, exceeded.index).map(({ key }) => key)
  await refund(db, keysBeforeExceeded)
  throw refuse('rate_limited', { retryAfter: exceeded.waitSeconds })
}

/** Forgets an account's tries, for use after a right code or the operator's reset. */
export async function resetTries(db: Database | Tx, userId: string): Promise<void> {
  await resetRateLimit(db, triesKey(userId))
}

/**
 * Uses up a code: a recovery code, or one of the authenticator, for the current, previous or next 30 seconds.
 * Each is accepted once, even by concurrent calls.
 * @throws refusal `two_factor_wrong`.
 */
export async function spendCode(tx: Tx, deps: FactorDeps, userId: string, code: string): Promise<void> {
  const typed = typedCode(code)
  const isAccepted = isOfAuthenticator(typed)
    ? await spendStep(tx, deps, userId, typed)
    : await spendRecoveryCode(tx, deps, userId, typed)
  if (!isAccepted) throw refuse('two_factor_wrong', { fields: { otp: 'two_factor_wrong' } })
}

/** Only the first of two calls with the same code finds that its step is after the last used one. */
async function spendStep(tx: Tx, { keys }: FactorDeps, userId: string, code: string): Promise<boolean> {
  const factor = await tx
    .selectFrom('second_factors')
    .select(['secret', sql<number>`extract(epoch from clock_timestamp())::float8`.as('now')])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!factor) return false
  const totp = await totpOf(keys.decrypt('totp-secret', userId, factor.secret))
  const delta = totp.validate({ token: code, timestamp: factor.now * 1_000, window: 1 })
  if (delta === null) return false
  const step = Math.floor(factor.now / STEP_SECONDS) + delta
  const used = await tx
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('secret', '=', factor.secret)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst()
  return used !== undefined
}

async function spendRecoveryCode(tx: Tx, deps: FactorDeps, userId: string, code: string): Promise<boolean> {
  const used = await tx
    .updateTable('recovery_codes')
    .set({ used_at: NOW })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashOf(deps, userId, code))
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return used !== undefined
}

/** Replaces the recovery codes of an account. @returns the new ones, each with 50 random bits. */
export async function replaceRecoveryCodes(tx: Tx, deps: FactorDeps, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, newRecoveryCode)
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashOf(deps, userId, code) })))
    .execute()
  return codes
}

/** Without letters and digits that look alike. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'

function newRecoveryCode(): string {
  const letters = [...randomBytes(10)].map((byte) => ALPHABET[byte % ALPHABET.length])
  return `${letters.slice(0, 5).join('')}-${letters.slice(5).join('')}`
}

const hashOf = ({ keys }: FactorDeps, userId: string, code: string) =>
  keys.hmac('recovery-code', userId, code.toLowerCase().replaceAll('-', ''))

/** Erases an account's second factor and, with it, its recovery codes. */
export async function eraseSecondFactor(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('second_factors').where('user_id', '=', userId).execute()
}

/**
 * The generator of a secret's codes. Its library is loaded at the first call: an idle node does without it.
 * @param names what the authenticator shows beside the codes.
 */
export async function totpOf(secret: string, names?: { issuer: string; label: string }) {
  const { Secret, TOTP } = await import('otpauth')
  return new TOTP({ ...names, digits: 6, period: STEP_SECONDS, secret: Secret.fromBase32(secret) })
}

/** A new secret of 160 bits, in Base32. */
export async function newSecret(): Promise<string> {
  const { Secret } = await import('otpauth')
  return new Secret({ size: 20 }).base32
}
