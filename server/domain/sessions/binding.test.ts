import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changePassword, profile } from '#contract/accounts/accounts.ts'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import { login, logout, logoutAll } from '#contract/accounts/sessions.ts'
import { hashToken, newToken } from '#server/platform/secrets.ts'
import { type Answer, type CallInput, PASSWORD, testApi, type TestApi } from '#server/testing/api.ts'
import { createUserWithPassword } from '#server/testing/builders/users-with-password.ts'

/** Headers that each show that a page sent the login. */
const FROM_A_PAGE: Record<string, string>[] = [
  { origin: 'http://localhost:3000' },
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'none' },
]

const cookiesOf = ({ headers }: Answer): string[] => [headers['set-cookie'] ?? []].flat().map(String)
const bindingOf = (answer: Answer) => cookiesOf(answer).find((cookie) => cookie.startsWith('binding='))
/** The binding cookie as the browser sends it back. */
const sentBack = (answer: Answer) => bindingOf(answer)?.split(';')[0] ?? ''

/** Logs in with the headers of the site’s own page. */
async function logInFromPage(api: TestApi, email: string, cookie?: string) {
  const headers = { origin: 'http://localhost:3000' }
  const answer = await api.call(login, { body: { email, password: PASSWORD }, cookie, headers })
  assert.equal(answer.status, 200)
  return { token: answer.body['token'] as string, cookie: sentBack(answer) }
}

const statusOf = async (api: TestApi, endpoint: Endpoint, sent: CallInput) =>
  (await api.call(endpoint, sent)).status

test('accepts a browser’s token only with its binding cookie, and the token of another client without one', async (t) => {
  const api = await testApi(t)
  const { email } = await createUserWithPassword(api)
  for (const headers of FROM_A_PAGE) {
    const answer = await api.call(login, { body: { email, password: PASSWORD }, headers })
    const token = answer.body['token'] as string
    assert.match(
      bindingOf(answer) ?? '',
      /^binding=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const cookie = sentBack(answer)
    assert.equal(await statusOf(api, profile, { token, cookie }), 200)
    assert.equal(await statusOf(api, profile, { token, cookie: `theme=dark; ${cookie}; a=b` }), 200)
    for (const wrong of ['binding=', `binding=${newToken()}`, `${cookie}x`, cookie.toLowerCase()])
      assert.equal(await statusOf(api, profile, { token, cookie: wrong }), 401, wrong)
    for (const endpoint of [profile, logout, logoutAll, changePassword]) {
      assert.equal(await statusOf(api, endpoint, { token }), 401, `${endpoint.path} with a copied token`)
      assert.equal(await statusOf(api, endpoint, { cookie }), 401, `${endpoint.path} with the cookie alone`)
    }
    const binding = cookie.replace('binding=', '')
    assert.equal(await statusOf(api, profile, { token: binding, cookie }), 401, 'the cookie is no token')
    const sessions = api.db.selectFrom('sessions').select('binding_hash')
    const stored = await sessions.where('token_hash', '=', hashToken(token)).execute()
    assert.deepEqual(stored, [{ binding_hash: hashToken(binding) }])
  }

  const plain = await api.call(login, { body: { email, password: PASSWORD } })
  assert.equal(bindingOf(plain), undefined)
  const token = plain.body['token'] as string
  assert.equal(await statusOf(api, profile, { token }), 200)
  assert.equal(await statusOf(api, profile, { token, cookie: `binding=${newToken()}` }), 200)
})

test('a logout from one session or from all clears the cookie', async (t) => {
  const api = await testApi(t)
  const { email, token: plain } = await createUserWithPassword(api)
  for (const endpoint of [logout, logoutAll]) {
    const { token, cookie } = await logInFromPage(api, email)
    const answer = await api.call(endpoint, { token, cookie })
    assert.equal(bindingOf(answer), 'binding=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax')
    assert.equal(await statusOf(api, profile, { token, cookie }), 401)
  }
  assert.equal(await statusOf(api, profile, { token: plain }), 401, 'the account’s other session has ended')
})

test('a second login in a browser reuses its binding, unless that is malformed', async (t) => {
  const api = await testApi(t)
  const [ann, ben] = [await createUserWithPassword(api), await createUserWithPassword(api)]
  const first = await logInFromPage(api, ann.email)
  const second = await logInFromPage(api, ben.email, first.cookie)
  assert.equal(second.cookie, first.cookie)
  for (const { token } of [first, second])
    assert.equal(await statusOf(api, profile, { token, cookie: first.cookie }), 200)
  const elsewhere = await logInFromPage(api, ann.email)
  assert.notEqual(elsewhere.cookie, first.cookie)
  assert.equal(await statusOf(api, profile, { token: first.token, cookie: elsewhere.cookie }), 401)

  for (const value of ['x', '', `${newToken()}A`, `${newToken().slice(1)}!`]) {
    const malformed = `binding=${value}`
    const { token, cookie } = await logInFromPage(api, ann.email, malformed)
    assert.notEqual(cookie, malformed)
    assert.equal(await statusOf(api, profile, { token, cookie: malformed }), 401)
    assert.equal(await statusOf(api, profile, { token, cookie }), 200)
  }
})
