import { createHash } from 'node:crypto'
import type { HttpClient } from '../platform/http-client.ts'
import { fetchKeys, fetchProvider, type Provider, type Unclear } from './discovery.ts'
import { exchangeCode } from './exchange-code.ts'
import { type Identity, readIdToken } from './id-token.ts'

/** Secrets of one connection that is under way. */
export type Attempt = { state: string; nonce: string; verifier: string }

/** Telegram as an OpenID provider. Neither call throws. */
export type TelegramLogin = {
  /** Where at Telegram a person confirms who they are. */
  addressFor(attempt: Attempt): Promise<{ url: string } | Unclear>
  /** Whose code it is; `refused` says in words for the log why it is nobody's. */
  identify(code: string, attempt: Attempt): Promise<{ identity: Identity } | { refused: string } | Unclear>
}

export type TelegramLoginSettings = {
  /** Without a slash at the end. */
  issuer: string
  clientId: string
  clientSecret: string
  /** As it is registered at Telegram. */
  redirectUri: string
}

/** Milliseconds for which the provider's description of itself is believed. */
const BELIEVED_FOR = 3_600_000

/**
 * The authorization code flow of OpenID Connect with PKCE.
 * @param now milliseconds, only ever going up.
 */
export function createTelegramLogin(
  outbound: HttpClient,
  settings: TelegramLoginSettings,
  now = () => performance.now(),
): TelegramLogin {
  let known: { provider: Provider; until: number } | undefined
  const discover = async (): Promise<Provider | Unclear> => {
    if (known && now() < known.until) return known.provider
    const provider = await fetchProvider(outbound, settings.issuer)
    if (!('unclear' in provider)) known = { provider, until: now() + BELIEVED_FOR }
    return provider
  }
  return {
    async addressFor(attempt) {
      const provider = await discover()
      return 'unclear' in provider ? provider : { url: authorizationUrl(provider, settings, attempt) }
    },
    async identify(code, attempt) {
      const provider = await discover()
      if ('unclear' in provider) return provider
      const [exchanged, keys] = await Promise.all([
        exchangeCode(outbound, provider, settings, { code, verifier: attempt.verifier }),
        fetchKeys(outbound, provider),
      ])
      if (!('idToken' in exchanged)) return exchanged
      return 'unclear' in keys ? keys : judge(exchanged.idToken, { ...settings, keys, nonce: attempt.nonce })
    },
  }
}

function authorizationUrl(
  { authorization_endpoint: endpoint }: Provider,
  { clientId, redirectUri }: TelegramLoginSettings,
  { state, nonce, verifier }: Attempt,
): string {
  const url = new URL(endpoint)
  const asked = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid profile',
    state,
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
  return url.href
}

async function judge(
  idToken: string,
  expected: Parameters<typeof readIdToken>[1],
): Promise<{ identity: Identity } | { refused: string }> {
  try {
    return { identity: await readIdToken(idToken, expected) }
  } catch (error) {
    return { refused: `the ID token is not valid: ${error instanceof Error ? error.message : ''}` }
  }
}
