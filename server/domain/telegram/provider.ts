import { createHash } from 'node:crypto'
import type { HttpClient } from '#server/platform/outbound/http-client.ts'
import { exchangeCode, fetchKeys, fetchProvider, type Provider, type Unclear } from './discovery.ts'
import { type Identity, readIdToken } from './id-token.ts'

/** The secrets of one pending connection. */
export type Attempt = { state: string; nonce: string; verifier: string }

/** Telegram as an OpenID provider. The methods do not throw. */
export type TelegramLogin = {
  buildAuthorizationUrl(attempt: Attempt): Promise<{ url: string } | Unclear>
  /** Exchanges the code for an identity; `refused` is a reason for the log. */
  identify(code: string, attempt: Attempt): Promise<{ identity: Identity } | { refused: string } | Unclear>
}

type TelegramLoginOptions = {
  /** Without a trailing slash. */
  issuer: string
  clientId: string
  clientSecret: string
  /** The redirect URI registered with Telegram. */
  redirectUri: string
}

const DISCOVERY_LIFETIME_MS = 3_600_000

/**
 * The authorization code flow of OpenID Connect with PKCE.
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
  expected: Parameters<typeof readIdToken>[1],
): Promise<{ identity: Identity } | { refused: string }> {
  try {
    return { identity: await readIdToken(idToken, expected) }
  } catch (error) {
    return { refused: `the ID token is not valid: ${error instanceof Error ? error.message : ''}` }
  }
}
