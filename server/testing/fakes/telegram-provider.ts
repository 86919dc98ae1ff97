import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { createTelegramLogin } from '#server/domain/telegram/provider.ts'
import { createHttpClient } from '#server/platform/outbound/http-client.ts'
import { serveStub } from './http-stub.ts'

/** The secret contains characters that need encoding. */
export const CLIENT = { clientId: '123456', clientSecret: 'secret of: the/bot+%' }

type Person = { id: number; username?: string }
type Sign = (claims: JWTPayload) => Promise<string>

const PATHS = ['/.well-known/openid-configuration', '/auth', '/confirm', '/token', '/jwks.json'] as const
type Path = (typeof PATHS)[number]

type Authorization = { challenge: string; nonce: string; redirectUri: string; person: Person }

/** Shared by all providers, because generating an RSA key takes a tenth of a second. */
let keys: ReturnType<typeof generateKeyPair> | undefined

/** Telegram's login, with its protocol and real signatures. @param issuerUrl without a trailing slash. */
export async function createTelegramProvider(issuerUrl: () => string) {
  const { publicKey, privateKey } = await (keys ??= generateKeyPair('RS256'))
  const jwk = { ...(await exportJWK(publicKey)), kid: 'oidc-1', alg: 'RS256', use: 'sig' }
  const signWithKey: Sign = (claims) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'oidc-1' }).sign(privateKey)
  let person: Person = { id: 500_100_101 }
  let tokenOptions: { claims: JWTPayload; sign: Sign } = { claims: {}, sign: signWithKey }
  const authorizations = new Map<string, Authorization>()
  const overrides = new Map<Path, RequestListener>()
  const counts = new Map<Path, number>()

  /** Confirms the login that a URL asks for. @returns the parameters with which the user is sent back. */
  const confirm = (address: string) => {
    const parameters = new URL(address).searchParams
    const parameter = (name: string) => parameters.get(name) ?? ''
    const isValid =
      parameter('response_type') === 'code' &&
      parameter('client_id') === CLIENT.clientId &&
      parameter('scope').split(' ').includes('openid') &&
      parameter('code_challenge_method') === 'S256'
    if (!isValid) throw new Error(`Not a request of OpenID Connect: ${parameters.toString()}`)
    const code = randomBytes(24).toString('base64url')
    const redirectUri = parameter('redirect_uri')
    authorizations.set(code, {
      challenge: parameter('code_challenge'),
      nonce: parameter('nonce'),
      redirectUri,
      person,
    })
    return { code, state: parameter('state') }
  }

  const signIdToken = ({ nonce, person: { id, username } }: Authorization) => {
    const now = Math.floor(Date.now() / 1000)
    return tokenOptions.sign({
      iss: issuerUrl(),
      aud: CLIENT.clientId,
      // Like Telegram's: specific to the client, and longer than a user id.
      sub: `9${createHash('sha256').update(String(id)).digest().readUInt32BE()}000000000`,
      id: String(id),
      iat: now,
      exp: now + 30,
      name: 'Somebody',
      ...(username === undefined ? {} : { preferred_username: username }),
      nonce,
      ...tokenOptions.claims,
    })
  }

  const exchange = async (request: IncomingMessage): Promise<[status: number, body: unknown]> => {
    const form = new URLSearchParams(await text(request))
    // OAuth encodes both like fields of a form, with a plus for a space.
    const [id, secret] = [CLIENT.clientId, CLIENT.clientSecret].map(encodeURIComponent)
    const basic = `Basic ${Buffer.from(`${id}:${secret?.replaceAll('%20', '+')}`).toString('base64')}`
    if (request.headers.authorization !== basic) return [401, { error: 'invalid_client' }]
    const code = form.get('code') ?? ''
    const authorization = authorizations.get(code)
    authorizations.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isValid =
      form.get('grant_type') === 'authorization_code' &&
      authorization?.redirectUri === form.get('redirect_uri') &&
      authorization?.challenge === challenge
    if (!authorization || !isValid) return [400, { error: 'invalid_grant' }]
    return [
      200,
      {
        token_type: 'Bearer',
        expires_in: 30,
        access_token: 'unused',
        id_token: await signIdToken(authorization),
      },
    ]
  }

  const usualAnswers: Record<Path, (request: IncomingMessage, response: ServerResponse) => Promise<void>> = {
    '/.well-known/openid-configuration': async (_request, response) =>
      sendJson(response, 200, {
        issuer: issuerUrl(),
        authorization_endpoint: `${issuerUrl()}/auth`,
        token_endpoint: `${issuerUrl()}/token`,
        jwks_uri: `${issuerUrl()}/jwks.json`,
      }),
    '/auth': async (request, response) =>
      void response.writeHead(200, HTML).end(pageOf(issuerUrl(), request.url ?? '')),
    '/confirm': async (request, response) => {
      const { code, state } = confirm(`http://provider${request.url}`)
      const back = new URL(authorizations.get(code)?.redirectUri ?? '')
      back.search = new URLSearchParams({ code, state }).toString()
      response.writeHead(302, { location: back.href }).end()
    },
    '/token': async (request, response) => sendJson(response, ...(await exchange(request))),
    '/jwks.json': async (_request, response) => sendJson(response, 200, { keys: [jwk] }),
  }

  const base = () => new URL(issuerUrl()).pathname.replace(/\/$/, '')
  return {
    setUser: (somebody: Person) => (person = somebody),
    /** Overrides claims of ID tokens and how they are signed. What is not given is restored. */
    overrideTokens: (changes: { claims?: JWTPayload; sign?: Sign }) =>
      (tokenOptions = { claims: {}, sign: signWithKey, ...changes }),
    /** Overrides the answer at a path. Without a listener, restores it. */
    overrideAnswer: (path: Path, listener?: RequestListener) =>
      void (listener ? overrides.set(path, listener) : overrides.delete(path)),
    confirm,
    countRequests: (path: Path) => counts.get(path) ?? 0,
    listener(request: IncomingMessage, response: ServerResponse) {
      const { pathname } = new URL(request.url ?? '', 'http://provider')
      const path = PATHS.find((known) => base() + known === pathname)
      if (!path) return sendJson(response, 404, {})
      counts.set(path, (counts.get(path) ?? 0) + 1)
      const override = overrides.get(path)
      if (override) override(request, response)
      else void usualAnswers[path](request, response)
    },
  }
}

const HTML = { 'content-type': 'text/html; charset=utf-8' }

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** The page with which the user confirms or cancels. */
function pageOf(issuer: string, url: string): string {
  const { search, searchParams } = new URL(url, 'http://provider')
  const back = new URL(searchParams.get('redirect_uri') ?? '')
  back.search = new URLSearchParams({
    error: 'access_denied',
    state: searchParams.get('state') ?? '',
  }).toString()
  const escaped = (href: string) => href.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<!doctype html><title>Telegram</title>
    <a href="${escaped(`${issuer}/confirm${search}`)}">Confirm</a> <a href="${escaped(back.href)}">Cancel</a>`
}

/** The Telegram login against a stub provider on a free port. */
export async function telegramLogin(t: TestContext) {
  let issuer = ''
  const provider = await createTelegramProvider(() => issuer)
  issuer = await serveStub(t, provider.listener)
  const outbound = createHttpClient({ allow: [issuer], timeoutMs: 20_000 })
  const redirectUri = 'http://localhost:3000/profile'
  return { provider, login: createTelegramLogin(outbound, { ...CLIENT, issuer, redirectUri }) }
}

type Telegram = Awaited<ReturnType<typeof telegramLogin>>

let lastId = 1_000_000

/** Makes a new Telegram user, who confirms logins from now on. */
export function switchTelegramUser({ provider }: Telegram) {
  lastId += 1
  const person = { id: lastId, username: `person_${lastId}` }
  provider.setUser(person)
  return person
}
