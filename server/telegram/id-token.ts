import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'

/** Who somebody is at Telegram. */
export type Identity = {
  /** The number by which the Bot API knows them. */
  telegramId: number
  /** Without `@`; null for who has no public name. */
  username: string | null
}

export type Expected = { keys: JSONWebKeySet; issuer: string; clientId: string; nonce: string }

/** What a bot's owner can choose at Telegram, but for ES256K. Never `none`, never one with a shared secret. */
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA']
/** Seconds by which two clocks may differ. */
const TOLERANCE = 30

/**
 * Reads an ID token that has just been issued to us.
 * @throws when it was not: signature, issuer, audience, time, nonce; and when it names no number.
 */
export async function readIdToken(token: string, expected: Expected): Promise<Identity> {
  const { issuer, clientId: audience, keys } = expected
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: TOLERANCE,
    maxTokenAge: '10 minutes',
    requiredClaims: ['sub', 'exp'],
  })
  if ([payload.aud].flat().length !== 1) throw new Error('it is for others too')
  // Telegram was seen to leave the nonce out. What binds the code to us is PKCE and the state; one that is
  // there has to be ours.
  if (payload['nonce'] !== undefined && payload['nonce'] !== expected.nonce) throw new Error('another nonce')
  return { telegramId: numberOf(payload), username: usernameOf(payload) }
}

/** The largest number of 52 bits. */
const LARGEST = 2 ** 52 - 1

/** Never `sub`: it is another number for each client, and could be somebody else's `id`. */
function numberOf({ id }: JWTPayload): number {
  const number = typeof id === 'string' && /^[1-9][0-9]{0,15}$/.test(id) ? Number(id) : id
  const isNumber = typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= LARGEST
  if (!isNumber) throw new Error('no number that the Bot API could know')
  return number
}

function usernameOf({ preferred_username: name }: JWTPayload): string | null {
  return typeof name === 'string' && /^[A-Za-z][A-Za-z0-9_]{3,31}$/.test(name) ? name : null
}
