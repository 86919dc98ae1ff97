import type { JSONWebKeySet } from 'jose'
import * as z from 'zod/mini'
import type { HttpClient } from '../platform/http-client.ts'

/** Why it cannot be told, in words for the log. */
export type Unclear = { unclear: string }

const Provider = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
})
/** Where an OpenID provider does what. */
export type Provider = z.output<typeof Provider>

/** How the provider at that issuer describes itself. */
export async function fetchProvider(outbound: HttpClient, issuer: string): Promise<Provider | Unclear> {
  const described = await askFor(outbound, Provider, `${issuer}/.well-known/openid-configuration`)
  if ('unclear' in described) return described
  const { authorization_endpoint: authorization } = described
  // The other two are asked by us, and only at the issuer's origin; this one is where people are sent.
  const isOfIssuer = described.issuer === issuer && new URL(authorization).origin === new URL(issuer).origin
  return isOfIssuer ? described : { unclear: 'the provider describes another one' }
}

const Keys = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

/** Its keys of now. Not kept: a participant comes once, and new keys are known at once. */
export function fetchKeys(outbound: HttpClient, provider: Provider): Promise<JSONWebKeySet | Unclear> {
  return askFor(outbound, Keys, provider.jwks_uri)
}

async function askFor<S extends z.core.$ZodType>(
  outbound: HttpClient,
  schema: S,
  address: string,
): Promise<z.output<S> | Unclear> {
  const outcome = await outbound.request(address)
  if ('unclear' in outcome) return outcome
  if ('refused' in outcome) return { unclear: `answered ${outcome.refused}` }
  const answer = z.safeParse(schema, outcome.answer)
  return answer.success ? answer.data : { unclear: 'a shape that is not known' }
}
