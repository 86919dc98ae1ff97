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
 * Five tries lock an account's codes for 15 minutes. Each further lock doubles, up to a day. A try needs the
 * password or a session, so strangers cannot cause a lock. Someone with a stolen password can, but the owner
 * still gets in: the lock does not apply to recovery codes, which nobody can guess.
 */
const TRIES: RateLimit = { take: 5, seconds: 900, lock: { maxSeconds: 86_400 } }
const TRIES_PER_NETWORK: RateLimit = { take: 30, seconds: 900 }
const STEP_SECONDS = 30

type FactorDeps = Pick<Deps, 'keys'>

const triesKey = (userId: string) => `second factor ${userId}`

export async function hasSecondFactor(db: Database | Tx, userId: string): Promise<boolean> {
  const factor = await plannedOnce(db)
    .selectFrom('second_factors')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return factor !== undefined
}

const withoutSpaces = (code: string) => code.replace(/\s/g, '')
/** Whether a code comes from an authenticator and is no recovery code. */
const isOfAuthenticator = (code: string) => /^\d{6}$/.test(code)

type Try = { userId: string; network: string; code: string }

/**
 * Counts a try. Call it before the code is compared, so that parallel tries cannot exceed the limit, and
 * outside the transaction of {@link spendCode}, so that a wrong try stays counted. A try that one limit
 * refuses does not count toward the others: a network without tries left locks no account, and tries at a
 * locked account use up none of the network's.
 * @throws refusal `rate_limited` with the seconds to wait.
 */
export async function consumeTry(db: Database, { userId, network, code }: Try): Promise<void> {
  const ofNetwork = limitsPerNetwork(network, 'second factor network', TRIES_PER_NETWORK)
  const ofAccount = isOfAuthenticator(withoutSpaces(code)) ? [{ key: triesKey(userId), limit: TRIES }] : []
  const exceeded = await consumeInOrder(db, [...ofNetwork, ...ofAccount])
  if (!exceeded) return
  const keysBeforeExceeded = ofNetwork.slice(0, exceeded.index).map(({ key }) => key)
  await refund(db, keysBeforeExceeded)
  throw refuse('rate_limited', { retryAfter: exceeded.waitSeconds })
}

export async function resetTries(db: Database | Tx, userId: string): Promise<void> {
  await resetRateLimit(db, triesKey(userId))
}

/**
 * Uses up a recovery code or an authenticator's code. The latter may be for the current, previous or next 30
 * seconds. Each code is accepted once, even by concurrent calls.
 * @throws refusal `two_factor_wrong`.
 */
export async function spendCode(tx: Tx, deps: FactorDeps, userId: string, code: string): Promise<void> {
  const entered = withoutSpaces(code)
  const isAccepted = isOfAuthenticator(entered)
    ? await spendStep(tx, deps, userId, entered)
    : await spendRecoveryCode(tx, deps, userId, entered)
  if (!isAccepted) throw refuse('two_factor_wrong', { fields: { otp: 'two_factor_wrong' } })
}

/** Accepts only a code whose step is after the last used step, so that each code works once. */
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

/** @returns the new codes, each with 50 random bits. */
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

/** A foreign key deletes the recovery codes with the factor. */
export async function eraseSecondFactor(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('second_factors').where('user_id', '=', userId).execute()
}

/**
 * Loads the library at the first call, so that an idle node does without it.
 * @param names what the authenticator shows beside the codes.
 */
export async function totpOf(secret: string, names?: { issuer: string; label: string }) {
  const { Secret, TOTP } = await import('otpauth')
  return new TOTP({ ...names, digits: 6, period: STEP_SECONDS, secret: Secret.fromBase32(secret) })
}

/** 160 bits in Base32. */
export async function newSecret(): Promise<string> {
  const { Secret } = await import('otpauth')
  return new Secret({ size: 20 }).base32
}
