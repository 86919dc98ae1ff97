import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { Challenge } from '#contract/challenge.ts'
import type { Database, Tx } from './database.ts'
import type { Keys } from './secrets.ts'

/** Seconds in which a challenge has to be solved and sent. */
export const CHALLENGE_SECONDS = 600

/**
 * The work: PBKDF2 of so many rounds, for each counter up to a random one between these. About 0.15 s on a
 * desktop and a second on a phone; three times that where a network has used up nearly all it may buy, and up to
 * seven times where more than that was bought of what everybody shares.
 */
const ROUNDS = 1_000
const COUNTERS = { from: 400, below: 800 }
const STEEPEST = 3
const MOST_LOAD = 3

/** What a challenge is for: it passes nowhere else. */
export type Scope = { call: string; network: string }

/** A right solution, ready to be spent. */
export type Solved = { signature: Buffer; expiresAt: number }

/**
 * A challenge that nobody has to remember: it is signed for its scope.
 * `load`, from 0, makes it harder: threefold at 1; `expiresAt` in seconds since 1970.
 */
export async function newChallenge(
  keys: Keys,
  scope: Scope,
  { load, expiresAt }: { load: number; expiresAt: number },
): Promise<Challenge> {
  const times = 1 + (STEEPEST - 1) * Math.min(load, MOST_LOAD)
  const counterBelow = Math.round(COUNTERS.below * times)
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: ROUNDS,
    counter: randomInt(Math.round(COUNTERS.from * times), counterBelow),
    data: { counterBelow },
    deriveKey,
    expiresAt,
    ...secretsFor(keys, scope),
  })
  return z.parse(Challenge, challenge)
}

/** Signs for one scope; the second secret proves the solution without doing the work again. */
function secretsFor(keys: Keys, { call, network }: Scope) {
  const secret = (part: string) => keys.hmac('challenge', part, call, network).toString('hex')
  return { hmacSignatureSecret: secret('challenge'), hmacKeySignatureSecret: secret('solution') }
}

/** Room for what we made, and little more. */
const HEADER_CHARACTERS = 2_048
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

const Payload = z.strictObject({
  challenge: Challenge,
  // Solvers add how long it took.
  solution: z.object({
    counter: z.int().check(z.minimum(0)),
    derivedKey: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  }),
})

/**
 * @returns undefined for a header that is malformed, forged, wrong, or of another scope. Whether it has expired is not
 * asked here but where it is spent: the database's clock set the time, and that of this machine may be another.
 */
export function readSolution(keys: Keys, scope: Scope, header: string): Solved | undefined {
  const payload = decode(header)
  if (!payload) return undefined
  const { challenge, solution } = payload
  const { hmacSignatureSecret, hmacKeySignatureSecret } = secretsFor(keys, scope)
  const { parameters, signature } = challenge
  const isOurs = isSignature(signature, hmacSignatureSecret, JSON.stringify(parameters, SIGNED))
  const key = Buffer.from(solution.derivedKey, 'hex')
  // Only the right counter leads to this key, and only we know its signature without counting.
  if (!isOurs || !isSignature(parameters.keySignature, hmacKeySignatureSecret, key)) return undefined
  return { signature: Buffer.from(signature, 'hex'), expiresAt: parameters.expiresAt }
}

/** What a challenge's signature covers, in the order of the protocol. */
const SIGNED = [...Object.keys(Challenge.shape.parameters.shape), 'counterBelow'].toSorted()

function isSignature(hex: string, secret: string, text: string | Buffer): boolean {
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(text).digest())
}

function decode(header: string): z.output<typeof Payload> | undefined {
  if (header.length > HEADER_CHARACTERS || !BASE64.test(header)) return undefined
  try {
    return z.safeParse(Payload, JSON.parse(Buffer.from(header, 'base64').toString())).data
  } catch {
    return undefined
  }
}

/** Spends a solution: true once, over all nodes, and only before it expires. */
export async function spend(tx: Tx, { signature, expiresAt }: Solved): Promise<boolean> {
  const { rows } = await sql`
    insert into spent_challenges (signature, expires_at)
    select ${signature}, to_timestamp(${expiresAt}) where to_timestamp(${expiresAt}) > now()
    on conflict do nothing
    returning 1`.execute(tx)
  return rows.length > 0
}

/** Deletes what has expired so long ago that no call under way can still bring it. */
export async function purgeSpentChallenges(db: Database): Promise<void> {
  await db
    .deleteFrom('spent_challenges')
    .where('expires_at', '<', sql<Date>`now() - interval '1 hour'`)
    .execute()
}
