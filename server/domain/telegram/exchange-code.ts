import * as z from 'zod/mini'
import type { HttpClient } from '#server/platform/http-client.ts'
import type { Provider, Unclear } from './discovery.ts'

type Client = { clientId: string; clientSecret: string; redirectUri: string }
type Grant = { code: string; verifier: string }

const Tokens = z.object({ id_token: z.string() })
const TokenError = z.object({ error: z.string() })

/**
 * Exchanges an authorization code for an ID token. A rejected code is `refused`; any other error is `unclear`,
 * because only the operator can fix it.
 */
export async function exchangeCode(
  outbound: HttpClient,
  provider: Provider,
  { clientId, clientSecret, redirectUri }: Client,
  { code, verifier }: Grant,
): Promise<{ idToken: string } | { refused: string } | Unclear> {
  const { outcome, reply } = await outbound.requestWithReply(provider.token_endpoint, {
    method: 'POST',
    authorization: basic(clientId, clientSecret),
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

/** Id and secret are form-encoded first (RFC 6749, section 2.3.1). */
function basic(id: string, secret: string): string {
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
