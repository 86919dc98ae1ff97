import type { JSONWebKeySet } from 'jose'
import * as z from 'zod/mini'
import type { HttpClient } from '#server/platform/outbound/http-client.ts'

/** The provider could not be asked. The reason is for the log. */
export type Unclear = { unclear: string }

const Provider = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
})
export type Provider = z.output<typeof Provider>

export async function fetchProvider(outbound: HttpClient, issuer: string): Promise<Provider | Unclear> {
  const metadata = await requestJson(outbound, Provider, `${issuer}/.well-known/openid-configuration`)
  if ('unclear' in metadata) return metadata
  const { authorization_endpoint: authorization } = metadata
  // Browsers open this endpoint. The HTTP client calls the others, and only at configured origins.
  const matchesIssuer = metadata.issuer === issuer && new URL(authorization).origin === new URL(issuer).origin
  return matchesIssuer ? metadata : { unclear: 'the provider describes another provider' }
}

const Keys = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

/** Not cached: connecting is rare, and rotated keys must count at once. */
export function fetchKeys(outbound: HttpClient, provider: Provider): Promise<JSONWebKeySet | Unclear> {
  return requestJson(outbound, Keys, provider.jwks_uri)
}

async function requestJson<S extends z.core.$ZodType>(
  outbound: HttpClient,
  schema: S,
  url: string,
): Promise<z.output<S> | Unclear> {
  const outcome = await outbound.request(url)
  if ('unclear' in outcome) return outcome
  if ('refused' in outcome) return { unclear: `answered ${outcome.refused}` }
  const parsed = z.safeParse(schema, outcome.answer)
  return parsed.success ? parsed.data : { unclear: 'a shape that is not known' }
}

type Client = { clientId: string; clientSecret: string; redirectUri: string }
type Grant = { code: string; verifier: string }

const Tokens = z.object({ id_token: z.string() })
const TokenError = z.object({ error: z.string() })

/**
 * Exchanges an authorization code for an ID token. A rejected code is `refused`. Any other error is
 * `unclear`, because it says nothing about the participant.
 */
export async function exchangeCode(
  outbound: HttpClient,
  provider: Provider,
  { clientId, clientSecret, redirectUri }: Client,
  { code, verifier }: Grant,
): Promise<{ idToken: string } | { refused: string } | Unclear> {
  const { outcome, reply } = await outbound.requestWithReply(provider.token_endpoint, {
    method: 'POST',
    authorization: basicCredentials(clientId, clientSecret),
    form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
  })
  if ('unclear' in outcome) return outcome
  if ('refused' in outcome)
    return isCodeRefused(reply?.text)
      ? { refused: 'the code was not taken' }
      : { unclear: `answered ${outcome.refused}: check client id, secret and redirect URI` }
  const tokens = z.safeParse(Tokens, outcome.answer)
  return tokens.success ? { idToken: tokens.data.id_token } : { unclear: 'an answer without an ID token' }
}

/** Form-encodes id and secret first (RFC 6749, section 2.3.1). */
function basicCredentials(id: string, secret: string): string {
  const encoded = [id, secret].map((part) => encodeURIComponent(part).replaceAll('%20', '+')).join(':')
  return `Basic ${Buffer.from(encoded).toString('base64')}`
}

function isCodeRefused(text: string | undefined): boolean {
  try {
    return z.safeParse(TokenError, JSON.parse(text ?? '')).data?.error === 'invalid_grant'
  } catch {
    return false
  }
}
