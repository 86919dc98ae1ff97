import { TELEGRAM_HANDLE } from '#contract/accounts/telegram.ts'
import type { JSONWebKeySet, JWTPayload } from 'jose'

/** A Telegram account. */
export type Identity = {
  /** The Bot API's user id. */
  telegramId: number
  /** Without `@`; null without a public username. */
  username: string | null
}

type Expected = { keys: JSONWebKeySet; issuer: string; clientId: string; nonce: string }

/** All that bots can choose at Telegram, except ES256K, which `jose` lacks. Never add `none` or HMAC. */
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA']
const CLOCK_TOLERANCE_SECONDS = 30

/**
 * Verifies a newly issued ID token.
 * @throws if its signature, issuer, audience, age, nonce or user id is invalid.
 */
export async function readIdToken(token: string, expected: Expected): Promise<Identity> {
  const { issuer, clientId: audience, keys } = expected
  // Loaded only here: most nodes do without it.
  const { createLocalJWKSet, jwtVerify } = await import('jose')
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    maxTokenAge: '10 minutes',
    requiredClaims: ['sub', 'exp'],
  })
  if ([payload.aud].flat().length !== 1) throw new Error('it has several audiences')
  // Telegram sometimes omits the nonce; PKCE and the state bind the code to us even so.
  if (payload['nonce'] !== undefined && payload['nonce'] !== expected.nonce)
    throw new Error('the nonce does not match')
  return { telegramId: telegramIdOf(payload), username: usernameOf(payload) }
}

/** Telegram's ids have at most 52 significant bits. */
const MAX_ID = 2 ** 52 - 1

/** Reads `id`, never `sub`, which differs for each client and may equal another user's `id`. */
function telegramIdOf({ id }: JWTPayload): number {
  const number = typeof id === 'string' && /^[1-9][0-9]{0,15}$/.test(id) ? Number(id) : id
  const isValid = typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= MAX_ID
  if (!isValid) throw new Error('the id is not a Bot API user id')
  return number
}

function usernameOf({ preferred_username: name }: JWTPayload): string | null {
  return typeof name === 'string' && TELEGRAM_HANDLE.test(name) ? name : null
}
