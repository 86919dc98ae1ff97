import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { Challenge } from '#contract/protocol/challenge.ts'
import type { Database, Tx } from '../database/database.ts'
import { ago } from '../database/times.ts'
import type { Keys } from '../secrets.ts'

export const CHALLENGE_SECONDS = 600

/** Iterations of PBKDF2 for one counter. A solver tries one counter after the other. */
const ITERATIONS = 1_000
/** Bounds of the counter that solves a challenge at load 0: about 0.15 s on a desktop and 1 s on a phone. */
const COUNTERS = { from: 400, below: 800 }
/** How many times as much work a challenge is at load 1 as at load 0. */
const FACTOR_AT_FULL_LOAD = 3
/** From this load, which only a limit shared by all callers reaches, the work stays seven times as much. */
const MAX_LOAD = 3

/** Binds a challenge to one endpoint and one network. */
export type Scope = { call: string; network: string }

/** A verified solution that has not been spent yet. */
type Solution = { signature: Buffer; expiresAt: number }

type ChallengeOptions = {
  /** How much of the proof-of-work allowance is used up: at 1 all of it. The work grows with the load. */
  load: number
  /** Seconds since 1970. */
  expiresAt: number
}

/** Creates a stateless challenge, signed for its scope. */
export async function newChallenge(
  keys: Keys,
  scope: Scope,
  { load, expiresAt }: ChallengeOptions,
): Promise<Challenge> {
  const factor = 1 + (FACTOR_AT_FULL_LOAD - 1) * Math.min(load, MAX_LOAD)
  const counterBelow = Math.round(COUNTERS.below * factor)
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: ITERATIONS,
    counter: randomInt(Math.round(COUNTERS.from * factor), counterBelow),
    data: { counterBelow },
    deriveKey,
    expiresAt,
    ...secretsFor(keys, scope),
  })
  return z.parse(Challenge, challenge)
}

/** The second secret signs the key that solves a challenge, so that verifying does not repeat the work. */
function secretsFor(keys: Keys, { call, network }: Scope) {
  const secret = (part: string) => keys.hmac('challenge', part, call, network).toString('hex')
  return { hmacSignatureSecret: secret('challenge'), hmacKeySignatureSecret: secret('solution') }
}

const MAX_HEADER_LENGTH = 2_048
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

const Payload = z.strictObject({
  challenge: Challenge,
  // Not strict: solvers add the time they took.
  solution: z.object({
    counter: z.int().check(z.minimum(0)),
    derivedKey: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  }),
})

/**
 * Verifies the challenge header.
 * @returns undefined for a header that is malformed, forged, wrong, or of another scope.
 * {@link spendSolution} checks expiry, by the database's clock.
 */
export function readSolution(keys: Keys, scope: Scope, header: string): Solution | undefined {
  const payload = decode(header)
  if (!payload) return undefined
  const { challenge, solution } = payload
  const { hmacSignatureSecret, hmacKeySignatureSecret } = secretsFor(keys, scope)
  const { parameters, signature } = challenge
  const signed = JSON.stringify(parameters, SIGNED_PARAMETERS)
  const isAuthentic = isSignatureOf(signature, hmacSignatureSecret, signed)
  const key = Buffer.from(solution.derivedKey, 'hex')
  // Only the right counter derives this key, and only the server can sign it.
  if (!isAuthentic || !isSignatureOf(parameters.keySignature, hmacKeySignatureSecret, key)) return undefined
  return { signature: Buffer.from(signature, 'hex'), expiresAt: parameters.expiresAt }
}

/** Every key in the signed JSON, in alphabetical order as in the protocol; `counterBelow` is in `data`. */
const SIGNED_PARAMETERS = [...Object.keys(Challenge.shape.parameters.shape), 'counterBelow'].toSorted()

function isSignatureOf(hex: string, secret: string, text: string | Buffer): boolean {
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(text).digest())
}

function decode(header: string): z.output<typeof Payload> | undefined {
  if (header.length > MAX_HEADER_LENGTH || !BASE64.test(header)) return undefined
  try {
    return z.safeParse(Payload, JSON.parse(Buffer.from(header, 'base64').toString())).data
  } catch {
    return undefined
  }
}

/** Spends a solution. True only once across all nodes, and only before it expires. */
export async function spendSolution(tx: Tx, { signature, expiresAt }: Solution): Promise<boolean> {
  const { rows } = await sql`
    insert into spent_challenges (signature, expires_at)
    select ${signature}, to_timestamp(${expiresAt}) where to_timestamp(${expiresAt}) > now()
    on conflict do nothing
    returning 1`.execute(tx)
  return rows.length > 0
}

/** Deletes rows an hour after they expired, when no call that began before then is still in progress. */
export async function purgeSpentChallenges(db: Database): Promise<void> {
  await db.deleteFrom('spent_challenges').where('expires_at', '<', ago('1 hour')).execute()
}
