import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { createHttpClient } from '#server/platform/outbound/http-client.ts'
import { serveStub } from '#server/testing/fakes/http-stub.ts'
import { CLIENT, createTelegramProvider } from '#server/testing/fakes/telegram-provider.ts'
import { type Attempt, createTelegramLogin } from './provider.ts'

const REDIRECT = 'https://site.example/profile'
const HOUR_MS = 3_600_000
const ATTEMPT: Attempt = { state: 'a-state', nonce: 'a-nonce', verifier: 'v'.repeat(43) }

async function setUp(t: TestContext, changes: { clientSecret?: string } = {}) {
  let base = ''
  const provider = await createTelegramProvider(() => base)
  base = await serveStub(t, provider.listener)
  let now = 0
  const outbound = createHttpClient({ allow: [base], timeoutMs: 20_000 })
  const settings = { ...CLIENT, issuer: base, redirectUri: REDIRECT, ...changes }
  const login = createTelegramLogin(outbound, settings, () => now)
  const confirm = async () => {
    const authorization = await login.buildAuthorizationUrl(ATTEMPT)
    assert.ok('url' in authorization)
    return provider.confirm(authorization.url)
  }
  const identify = async (attempt = ATTEMPT) => login.identify((await confirm()).code, attempt)
  return { base, provider, login, confirm, identify, advance: (ms: number) => (now += ms) }
}

/** `identity`, `refused` or `unclear`. */
const outcomeOf = (result: object) => Object.keys(result).join()

test('builds an authorization URL with the required parameters and no secret', async (t) => {
  const { base, login, provider } = await setUp(t)
  const authorization = await login.buildAuthorizationUrl(ATTEMPT)
  assert.ok('url' in authorization)
  const url = new URL(authorization.url)
  assert.equal(url.origin + url.pathname, `${base}/auth`)
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    response_type: 'code',
    client_id: CLIENT.clientId,
    redirect_uri: REDIRECT,
    scope: 'openid profile',
    state: ATTEMPT.state,
    nonce: ATTEMPT.nonce,
    // Computed independently from 43 times "v".
    code_challenge: '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM',
    code_challenge_method: 'S256',
  })
  assert.ok(!authorization.url.includes(ATTEMPT.verifier))
  assert.equal(provider.countRequests('/token'), 0, 'no code has been exchanged')
})

test('identifies a user by the Bot API’s `id`, never by the token’s `sub`', async (t) => {
  const { provider, identify } = await setUp(t)
  provider.setUser({ id: 500_100_101, username: 'Moon_Boy' })
  assert.deepEqual(await identify(), { identity: { telegramId: 500_100_101, username: 'Moon_Boy' } })
  provider.setUser({ id: 1, username: 'pips' })
  assert.deepEqual(await identify(), { identity: { telegramId: 1, username: 'pips' } })
  // Ids have at most 52 bits.
  provider.setUser({ id: 4_503_599_627_370_495 })
  assert.deepEqual(await identify(), { identity: { telegramId: 4_503_599_627_370_495, username: null } })
  const strings = ['007', '1e3', '500100101 ', '4503599627370496']
  for (const id of [undefined, null, 0, -1, 1.5, 2 ** 52, ...strings, true, {}, [5]]) {
    provider.overrideTokens({ claims: { id, sub: '500100101' } })
    assert.equal(outcomeOf(await identify()), 'refused', JSON.stringify(id))
  }
})

test('ignores an impossible username', async (t) => {
  const { provider, identify } = await setUp(t)
  const strings = ['', 'abc', 'a b c d', '<b>bold</b>', 'x'.repeat(33), 'пётр', '@moonboy', 'moonboy_']
  for (const name of [...strings, 42, null]) {
    provider.overrideTokens({ claims: { preferred_username: name } })
    const result = await identify()
    assert.ok('identity' in result && result.identity.username === null, String(name))
  }
})

test('rejects an ID token that is stale or for another issuer, client or connection', async (t) => {
  const { provider, identify } = await setUp(t)
  const now = Math.floor(Date.now() / 1000)
  const wrong: Record<string, unknown[]> = {
    iss: ['https://oauth.telegram.example', undefined],
    aud: ['654321', [CLIENT.clientId, '654321'], undefined],
    sub: [undefined],
    exp: [now - 3600, undefined, 'tomorrow'],
    iat: [now - 3600, now + 3600, undefined],
    nbf: [now + 3600],
    nonce: ['of another connection', '', null],
  }
  // Later than every time in the table, so that only the named claim is wrong.
  const valid = { exp: now + 7200 }
  for (const [name, values] of Object.entries(wrong))
    for (const value of values) {
      provider.overrideTokens({ claims: { ...valid, [name]: value } })
      assert.equal(outcomeOf(await identify()), 'refused', `${name} ${String(value)}`)
    }
  provider.overrideTokens({ claims: { aud: [CLIENT.clientId] } })
  assert.equal(outcomeOf(await identify()), 'identity')
  // Telegram sometimes omits the nonce.
  provider.overrideTokens({ claims: { nonce: undefined } })
  assert.equal(outcomeOf(await identify()), 'identity')
})

test('rejects a signature that no published key verifies', async (t) => {
  const { base, provider, identify } = await setUp(t)
  const stranger = await generateKeyPair('RS256')
  const jwk = await exportJWK(stranger.publicKey)
  for (const [header, key] of [
    [{ alg: 'RS256', kid: 'oidc-1' }, stranger.privateKey],
    [{ alg: 'RS256', kid: 'unknown' }, stranger.privateKey],
    [{ alg: 'RS256', kid: 'mine', jwk, jku: `${base}/evil.json` }, stranger.privateKey],
    [{ alg: 'HS256', kid: 'oidc-1' }, Buffer.from(CLIENT.clientSecret.padEnd(32))],
  ] as const) {
    provider.overrideTokens({ sign: (claims) => new SignJWT(claims).setProtectedHeader(header).sign(key) })
    assert.equal(outcomeOf(await identify()), 'refused', JSON.stringify(header))
  }
  provider.overrideTokens({ sign: async (claims) => new UnsecuredJWT(claims).encode() })
  assert.equal(outcomeOf(await identify()), 'refused')
  for (const token of ['', 'a', 'a.b.c', '..', '{}', 'e30.e30.', `${'x'.repeat(20_000)}.e30.e30`]) {
    provider.overrideTokens({ sign: async () => token })
    assert.equal(outcomeOf(await identify()), 'refused', token.slice(0, 20))
  }
  provider.overrideTokens({})
  assert.equal(outcomeOf(await identify()), 'identity')
})

test('accepts a rotated key at once, and every supported algorithm', async (t) => {
  const { provider, identify } = await setUp(t)
  for (const alg of ['ES256', 'EdDSA']) {
    const { publicKey, privateKey } = await generateKeyPair(alg)
    const key = { ...(await exportJWK(publicKey)), kid: alg }
    const keys = JSON.stringify({ keys: [key] })
    provider.overrideAnswer('/jwks.json', (_request, response) => void response.end(keys))
    provider.overrideTokens({
      sign: (claims) => new SignJWT(claims).setProtectedHeader({ alg, kid: alg }).sign(privateKey),
    })
    assert.equal(outcomeOf(await identify()), 'identity', alg)
  }
})

test('accepts a code once and only with its verifier', async (t) => {
  const { login, confirm } = await setUp(t)
  const { code } = await confirm()
  assert.equal(outcomeOf(await login.identify(code, ATTEMPT)), 'identity')
  assert.deepEqual(await login.identify(code, ATTEMPT), { refused: 'the code was not taken' })
  assert.equal(outcomeOf(await login.identify('made up', ATTEMPT)), 'refused')
  const stolen = (await confirm()).code
  assert.equal(outcomeOf(await login.identify(stolen, { ...ATTEMPT, verifier: 'w'.repeat(43) })), 'refused')
})

test('reports a wrong client secret as unclear, without the secret in the reason', async (t) => {
  const { identify } = await setUp(t, { clientSecret: 'an old secret' })
  const result = await identify()
  assert.ok('unclear' in result && /client id, secret/.test(result.unclear))
  assert.ok(!result.unclear.includes('an old secret'))
})

const DISCOVERY = '/.well-known/openid-configuration'

test('is unclear if an endpoint answers with an error, a web page or an unknown shape', async (t) => {
  const answers = [
    [503, ''],
    [404, '{}'],
    [200, '<h1>Hello</h1>'],
    [200, '{}'],
    [200, '[]'],
  ] as const
  const { provider, login, confirm, advance } = await setUp(t)
  for (const path of [DISCOVERY, '/token', '/jwks.json'] as const) {
    for (const [status, body] of answers) {
      const { code } = await confirm()
      // The cached discovery document expires, so that it is requested again.
      if (path === DISCOVERY) advance(HOUR_MS)
      provider.overrideAnswer(path, (_request, response) => void response.writeHead(status).end(body))
      assert.equal(outcomeOf(await login.identify(code, ATTEMPT)), 'unclear', `${path} ${status} ${body}`)
      provider.overrideAnswer(path)
    }
    assert.equal(outcomeOf(await login.identify((await confirm()).code, ATTEMPT)), 'identity', path)
  }
})

test('rejects the document of another issuer, and endpoints outside the issuer’s origin', async (t) => {
  const { base, provider, login, confirm, advance } = await setUp(t)
  const describe = (changes: Record<string, string>) =>
    provider.overrideAnswer(DISCOVERY, (_request, response) => {
      const usual = { issuer: base, authorization_endpoint: `${base}/auth`, token_endpoint: `${base}/token` }
      response.end(JSON.stringify({ ...usual, jwks_uri: `${base}/jwks.json`, ...changes }))
    })
  for (const changes of [
    { issuer: 'https://oauth.telegram.example' },
    { issuer: `${base}/` },
    { authorization_endpoint: 'https://phishing.example/auth' },
    { authorization_endpoint: 'javascript:alert(1)' },
    { authorization_endpoint: 'nowhere' },
  ]) {
    describe(changes)
    assert.ok('unclear' in (await login.buildAuthorizationUrl(ATTEMPT)), JSON.stringify(changes))
  }
  for (const changes of [
    { token_endpoint: 'http://169.254.169.254/' },
    { jwks_uri: 'http://localhost:1/' },
  ]) {
    describe(changes)
    const { code } = await confirm()
    assert.deepEqual(await login.identify(code, ATTEMPT), { unclear: 'not an allowed address' })
    // The cached discovery document expires.
    advance(HOUR_MS)
  }
})

test('caches the discovery document for an hour', async (t) => {
  const { provider, login, advance } = await setUp(t)
  await login.buildAuthorizationUrl(ATTEMPT)
  advance(HOUR_MS - 1)
  await login.buildAuthorizationUrl(ATTEMPT)
  assert.equal(provider.countRequests(DISCOVERY), 1)
  advance(1)
  await login.buildAuthorizationUrl(ATTEMPT)
  assert.equal(provider.countRequests(DISCOVERY), 2)
})
