import type { JSONWebKeySet } from 'jose'
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { Outbound, Question } from '../platform/outbound.ts'
import { type Identity, readIdToken } from './id-token.ts'

/** Secrets of one connection that is under way. */
export type Attempt = { state: string; nonce: string; verifier: string }

/** Why it cannot be told, for the log. */
type Unclear = { unclear: string }

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
  outbound: Outbound,
  settings: TelegramLoginSettings,
  now = () => performance.now(),
): TelegramLogin {
  let known: { provider: Provider; until: number } | undefined
  const discover = async (): Promise<Provider | Unclear> => {
    if (known && now() < known.until) return known.provider
    const provider = await askForProvider(outbound, settings)
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
        exchange(outbound, provider, settings, { code, verifier: attempt.verifier }),
        askForKeys(outbound, provider),
      ])
      if (!('idToken' in exchanged)) return exchanged
      return 'unclear' in keys ? keys : judge(exchanged.idToken, { ...settings, keys, nonce: attempt.nonce })
    },
  }
}

const Provider = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
})
type Provider = z.output<typeof Provider>

async function askForProvider(
  outbound: Outbound,
  { issuer }: TelegramLoginSettings,
): Promise<Provider | Unclear> {
  const described = await askFor(outbound, Provider, `${issuer}/.well-known/openid-configuration`)
  if ('unclear' in described) return described
  const { authorization_endpoint: authorization } = described
  // The other two are asked by us, and only below the issuer's origin; this one is where people are sent.
  const isOurs = described.issuer === issuer && new URL(authorization).origin === new URL(issuer).origin
  return isOurs ? described : { unclear: 'the provider describes another one' }
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

const Tokens = z.object({ id_token: z.string() })
const TokenError = z.object({ error: z.string() })

/** A code that is not taken is refused; whatever else the provider finds fault with, only the operator can mend. */
async function exchange(
  outbound: Outbound,
  { token_endpoint: endpoint }: Provider,
  { clientId, clientSecret, redirectUri }: TelegramLoginSettings,
  { code, verifier }: { code: string; verifier: string },
): Promise<{ idToken: string } | { refused: string } | Unclear> {
  const { outcome, reply } = await outbound.look(endpoint, {
    method: 'POST',
    authorization: basic(clientId, clientSecret),
    form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
  })
  if ('unclear' in outcome) return outcome
  if ('refused' in outcome) {
    const { error = '' } = z.safeParse(TokenError, parsed(reply?.text)).data ?? {}
    if (error === 'invalid_grant') return { refused: 'the code was not taken' }
    return {
      unclear: `the exchange was refused with ${outcome.refused}: check client id, secret and redirect URI`,
    }
  }
  const tokens = z.safeParse(Tokens, outcome.answer)
  return tokens.success ? { idToken: tokens.data.id_token } : { unclear: 'an answer without an ID token' }
}

/** Each is form-encoded first (RFC 6749, 2.3.1). */
function basic(id: string, secret: string): string {
  const encoded = [id, secret].map((part) => encodeURIComponent(part).replaceAll('%20', '+')).join(':')
  return `Basic ${Buffer.from(encoded).toString('base64')}`
}

const Keys = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

/** Not kept: a participant comes once, and new keys are known at once. */
async function askForKeys(
  outbound: Outbound,
  { jwks_uri: address }: Provider,
): Promise<JSONWebKeySet | Unclear> {
  return askFor(outbound, Keys, address)
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

async function askFor<S extends z.core.$ZodType>(
  outbound: Outbound,
  schema: S,
  address: string,
  question?: Question,
): Promise<z.output<S> | Unclear> {
  const outcome = await outbound.ask(address, question)
  if ('unclear' in outcome) return outcome
  if ('refused' in outcome) return { unclear: `answered ${outcome.refused}` }
  const answer = z.safeParse(schema, outcome.answer)
  return answer.success ? answer.data : { unclear: 'a shape that is not known' }
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
