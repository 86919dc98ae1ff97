import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changePassword } from '#contract/accounts/accounts.ts'
import { ENDPOINTS } from '#server/testing/endpoints.ts'
import { type Access, API_BASE, type Endpoint } from '#contract/protocol/endpoint.ts'
import { logout, logoutAll } from '#contract/accounts/sessions.ts'
import { newToken } from '../platform/secrets.ts'
import { PASSWORD, testApi, type TestApi } from '../testing/api.ts'
import { createUsers, type TestUser } from '../testing/builders/create-users.ts'
import { createUsersWithPassword } from '../testing/builders/users-with-password.ts'
import { refusalOf } from '../testing/checks/refusals.ts'

const CALLERS = [
  'anonymous',
  'unknown token',
  'logged out',
  'banned',
  'participant',
  'administrator',
] as const
type CallerName = (typeof CALLERS)[number]

const DENIED = [401, 'unauthenticated']
const LOGIN_REQUIRED = { anonymous: DENIED, 'unknown token': DENIED, 'logged out': DENIED, banned: DENIED }

/** How a caller is refused. Callers not listed reach the endpoint's own checks. */
const REFUSALS: Record<Access, Partial<Record<CallerName, (number | string)[]>>> = {
  public: {},
  participant: LOGIN_REQUIRED,
  admin: { ...LOGIN_REQUIRED, participant: [403, 'forbidden'] },
}

const SESSION_ENDING: readonly Endpoint[] = [logout, logoutAll, changePassword]

type Tokens = Record<CallerName, string | undefined>

/** @returns a function that makes tokens of the callers: each call logs participant and administrator in. */
async function createCallers(api: TestApi): Promise<() => Promise<Tokens>> {
  const { db, deps, pool } = api
  const [loggedOut, banned] = await createUsers(db, deps.campaign.id, 2)
  await api.call(logout, { token: loggedOut.token })
  await pool.query('update users set banned_at = now() where id = $1', [banned.id])
  const [participant, administrator] = await createUsersWithPassword(api, 2)
  await pool.query(`update users set role = 'admin' where id = $1`, [administrator.id])
  const logIn = async ({ email }: TestUser) => (await api.logIn(email, PASSWORD)).token
  return async () => ({
    anonymous: undefined,
    'unknown token': newToken(),
    'logged out': loggedOut.token,
    banned: banned.token,
    participant: await logIn(participant),
    administrator: await logIn(administrator),
  })
}

/** Valid path parameters and an invalid body, because only access is tested. */
function anyInput({ method, path }: Endpoint) {
  const names = [...path.matchAll(/:([a-zA-Z]+)/g)].map(([, name = '']) => name)
  const params = Object.fromEntries(names.map((name) => [name, crypto.randomUUID()]))
  return { params, ...(method === 'GET' ? {} : { body: {} }) }
}

test('each endpoint admits exactly the callers that its access names', async (t) => {
  const api = await testApi(t)
  const freshTokens = await createCallers(api)
  let tokens = await freshTokens()
  for (const endpoint of ENDPOINTS) {
    for (const name of CALLERS) {
      const token = tokens[name]
      const answer = await api.call(endpoint, { ...anyInput(endpoint), token })
      const { status, body } = answer
      const call = `${endpoint.method} ${endpoint.path} as ${name}: ${status} ${body.code ?? ''}`
      const expected = REFUSALS[endpoint.access][name]
      if (expected === undefined) assert.ok(status !== 401 && status !== 403 && status < 500, call)
      else assert.deepEqual(refusalOf(answer), expected, call)
    }
    if (SESSION_ENDING.includes(endpoint)) tokens = await freshTokens()
  }
})

const ENDS = ['', '/', '/?x', '/?page=1', '/?_method=GET', '/%2e/']
/** Spellings of `/users/`, which only administrators may read. */
const GUARDED = [...ENDS.map((end) => `/users${end}`), '/%75sers/', '/./users/']
const NOT_FOUND = ['/users//', '//users/', '/Users/', '/users/;/']

test('no other spelling of a path and no header opens an administrator endpoint', async (t) => {
  const api = await testApi(t)
  const [participant] = await createUsers(api.db, api.deps.campaign.id, 1)
  const spoofedHeaders = [
    {},
    { 'x-http-method-override': 'GET', 'x-method-override': 'GET' },
    { 'x-original-url': '/api/v1/users/leaderboard' },
  ]
  for (const path of [...GUARDED, ...NOT_FOUND])
    for (const token of [undefined, participant.token])
      for (const spoofed of spoofedHeaders)
        for (const method of ['GET', 'HEAD', 'POST'] as const) {
          const authorization = token ? { authorization: `Bearer ${token}` } : {}
          const headers = { host: 'localhost:3000', ...authorization, ...spoofed }
          const { status } = await api.inject({ method, url: API_BASE + path, headers })
          const call = `${method} ${path} with ${JSON.stringify(headers)}: ${status}`
          if (method === 'POST') assert.ok(status === 404 || status === 405, call)
          else if (NOT_FOUND.includes(path)) assert.equal(status, 404, call)
          else assert.equal(status, token ? 403 : 401, call)
        }
})
