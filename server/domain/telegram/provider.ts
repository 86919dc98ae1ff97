import { createHash } from 'node:crypto'
import type { JSONWebKeySet, JWTPayload } from 'jose'
import { TELEGRAM_HANDLE } from '#contract/accounts/telegram.ts'
import type { HttpClient } from '#server/platform/outbound/http-client.ts'
import { exchangeCode, fetchKeys, fetchProvider, type Provider, type Unclear } from './discovery.ts'

export type Attempt = { state: string; nonce: string; verifier: string }

export type Identity = {
  /** The Bot API's user id. */
  telegramId: number
  /** Without `@`; null without a public username. */
  username: string | null
}

/** The methods do not throw. */
export type TelegramLogin = {
  buildAuthorizationUrl(attempt: Attempt): Promise<{ url: string } | Unclear>
  /** `refused` is a reason for the log. */
  identify(code: string, attempt: Attempt): Promise<{ identity: Identity } | { refused: string } | Unclear>
}

type TelegramLoginOptions = {
  /** Without a trailing slash. */
  issuer: string
  clientId: string
  clientSecret: string
  /** As registered with Telegram. */
  redirectUri: string
}

const DISCOVERY_LIFETIME_MS = 3_600_000

/**
 * Uses the authorization code flow of OpenID Connect with PKCE.
 * @param now monotonic, in milliseconds.
 */
export function createTelegramLogin(
  outbound: HttpClient,
  options: TelegramLoginOptions,
  now = () => performance.now(),
): TelegramLogin {
  let cached: { provider: Provider; untilMs: number } | undefined
  const discover = async (): Promise<Provider | Unclear> => {
    if (cached && now() < cached.untilMs) return cached.provider
    const provider = await fetchProvider(outbound, options.issuer)
    if (!('unclear' in provider)) cached = { provider, untilMs: now() + DISCOVERY_LIFETIME_MS }
    return provider
  }
  return {
    async buildAuthorizationUrl(attempt) {
      const provider = await discover()
      return 'unclear' in provider ? provider : { url: authorizationUrlOf(provider, options, attempt) }
    },
    async identify(code, attempt) {
      const provider = await discover()
      if ('unclear' in provider) return provider
      const [exchanged, keys] = await Promise.all([
        exchangeCode(outbound, provider, options, { code, verifier: attempt.verifier }),
        fetchKeys(outbound, provider),
      ])
      if (!('idToken' in exchanged)) return exchanged
      return 'unclear' in keys ? keys : verify(exchanged.idToken, { ...options, keys, nonce: attempt.nonce })
    },
  }
}

function authorizationUrlOf(
  { authorization_endpoint: endpoint }: Provider,
  { clientId, redirectUri }: TelegramLoginOptions,
  { state, nonce, verifier }: Attempt,
): string {
  const url = new URL(endpoint)
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid profile',
    state,
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

async function verify(
  idToken: string,
  expected: Expected,
): Promise<{ identity: Identity } | { refused: string }> {
  try {
    return { identity: await readIdToken(idToken, expected) }
  } catch (error) {
    return { refused: `the ID token is not valid: ${error instanceof Error ? error.message : ''}` }
  }
}

type Expected = { keys: JSONWebKeySet; issuer: string; clientId: string; nonce: string }

/** Those that a bot can choose at Telegram, except ES256K, which `jose` lacks. Never add `none` or HMAC. */
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA']
const CLOCK_TOLERANCE_SECONDS = 30

/**
 * Verifies a newly issued ID token.
 * @throws if its signature, issuer, audience, age, nonce or user id is invalid.
 */
async function readIdToken(token: string, expected: Expected): Promise<Identity> {
  const { issuer, clientId: audience, keys } = expected
  // Loaded only here, because most nodes never verify a token.
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
  // Telegram sometimes omits the nonce. PKCE and the state still bind the code to this attempt.
  if (payload['nonce'] !== undefined && payload['nonce'] !== expected.nonce)
    throw new Error('the nonce does not match')
  return { telegramId: telegramIdOf(payload), username: usernameOf(payload) }
}

/** Telegram's ids have at most 52 significant bits. */
const MAX_ID = 2 ** 52 - 1

/** Never reads the id from `sub`, which differs for each client and may equal another user's `id`. */
function telegramIdOf({ id }: JWTPayload): number {
  const number = typeof id === 'string' && /^[1-9][0-9]{0,15}$/.test(id) ? Number(id) : id
  const isValid = typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= MAX_ID
  if (!isValid) throw new Error('the id is not a Bot API user id')
  return number
}

function usernameOf({ preferred_username: name }: JWTPayload): string | null {
  return typeof name === 'string' && TELEGRAM_HANDLE.test(name) ? name : null
}
