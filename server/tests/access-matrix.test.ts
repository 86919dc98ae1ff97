import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { changePassword } from '#contract/accounts/accounts.ts'
import { ENDPOINTS } from '#contract/api.ts'
import { type Access, API_BASE, type Endpoint } from '#contract/protocol/endpoint.ts'
import { logout, logoutAll } from '#contract/accounts/sessions.ts'
import { testApi, type TestApi } from '../testing/api.ts'

const CALLERS = [
  'anonymous',
  'unknown token',
  'logged out',
  'banned',
  'participant',
  'administrator',
] as const
type CallerName = (typeof CALLERS)[number]

const NOBODY = { anonymous: 401, 'unknown token': 401, 'logged out': 401, banned: 401 }

/** The status with which a caller is refused; callers not listed reach the endpoint's own checks. */
const REFUSALS: Record<Access, Partial<Record<CallerName, number>>> = {
  public: {},
  participant: NOBODY,
  admin: { ...NOBODY, participant: 403 },
}

const ENDS_SESSIONS: readonly Endpoint[] = [logout, logoutAll, changePassword]

type Tokens = Record<CallerName, string | undefined>

async function callers(t: TestContext): Promise<{ api: TestApi; tokens: () => Promise<Tokens> }> {
  const api = await testApi(t)
  const [loggedOut, banned] = [await api.participant(), await api.participant()]
  const participant = await api.participant()
  const administrator = await api.administrator()
  await api.call(logout, { token: loggedOut.token })
  await api.pool.query('update users set banned_at = now() where username = $1', [banned.username])
  const tokens = async () => ({
    anonymous: undefined,
    'unknown token': 'A'.repeat(43),
    'logged out': loggedOut.token,
    banned: banned.token,
    participant: (await api.logIn(participant.email, participant.password)).token,
    administrator: (await api.logIn(administrator.email, administrator.password)).token,
  })
  return { api, tokens }
}

/** Valid for the path, invalid as a body: only access is tested. */
function anyInput({ method, path }: Endpoint) {
  const names = [...path.matchAll(/:([a-zA-Z]+)/g)].map(([, name = '']) => name)
  const params = Object.fromEntries(names.map((name) => [name, crypto.randomUUID()]))
  return { params, ...(method === 'GET' ? {} : { body: {} }) }
}

test('each endpoint admits exactly the callers that its access names', async (t) => {
  const { api, tokens } = await callers(t)
  let known = await tokens()
  for (const endpoint of ENDPOINTS) {
    for (const name of CALLERS) {
      const token = known[name]
      const { status, body } = await api.call(endpoint, { ...anyInput(endpoint), token })
      const what = `${endpoint.method} ${endpoint.path} as ${name}: ${status} ${body.code ?? ''}`
      const expected = REFUSALS[endpoint.access][name]
      if (expected === undefined) assert.ok(status !== 401 && status !== 403 && status < 500, what)
      else assert.equal(status, expected, what)
    }
    if (ENDS_SESSIONS.includes(endpoint)) known = await tokens()
  }
})

test('no other spelling of a path and no header opens an administrator endpoint', async (t) => {
  const { api, tokens } = await callers(t)
  const { participant } = await tokens()
  const paths = [
    '/users',
    '/users//',
    '//users/',
    '/Users/',
    '/%75sers/',
    '/users/%2e/',
    '/users/;/',
    '/users/?x',
  ]
  const headers = [{}, { 'x-http-method-override': 'GET' }, { 'x-original-url': '/api/v1/users/leaderboard' }]
  for (const path of paths)
    for (const header of headers)
      for (const method of ['GET', 'HEAD', 'POST'] as const) {
        const { status } = await api.inject({
          method,
          url: API_BASE + path,
          headers: { host: 'localhost:3000', authorization: `Bearer ${participant}`, ...header },
        })
        assert.ok(status >= 400 && status < 500, `${method} ${path}: ${status}`)
      }
})
