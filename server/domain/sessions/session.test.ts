import assert from 'node:assert/strict'
import { test } from 'node:test'
import { profile } from '#contract/accounts/accounts.ts'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import * as sessions from '#contract/accounts/sessions.ts'
import { listClaimants } from '#contract/claims/claims.ts'
import { PASSWORD, testApi, type TestApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { createUserWithPassword } from '#server/testing/builders/users-with-password.ts'
import { testNode } from '#server/testing/deps.ts'
import { ROUNDS } from '#server/testing/database/races.ts'
import { hashToken, newToken } from '#server/platform/secrets.ts'
import { login } from './login.ts'
import { purgeSessions } from './session.ts'

const statusOf = async (api: TestApi, endpoint: Endpoint, token: string) =>
  (await api.call(endpoint, { token })).status

const ageSessions = (api: TestApi, startedAgo: string, usedAgo: string) =>
  api.pool.query(
    `update sessions set created_at = now() - $1::interval, last_seen_at = now() - $2::interval`,
    [startedAgo, usedAgo],
  )

const AGES: [role: 'user' | 'admin', startedAgo: string, usedAgo: string, status: 200 | 401][] = [
  ['user', '6 days 23:59:30', '1 minute', 200],
  ['user', '7 days 00:00:30', '1 minute', 401],
  ['user', '2 days', '23:59:30', 200],
  ['user', '2 days', '24:00:30', 401],
  ['admin', '07:59:30', '1 minute', 200],
  ['admin', '08:00:30', '1 minute', 401],
  ['admin', '1 hour', '00:29:30', 200],
  ['admin', '1 hour', '00:30:30', 401],
]

test('a session expires after 7 days or 24 idle hours, an administrator’s after 8 hours or 30 idle minutes', async (t) => {
  const api = await testApi(t)
  for (const [role, startedAgo, usedAgo, status] of AGES) {
    const [person] = await createUsers(api.db, api.deps.campaign.id, 1, { role })
    await ageSessions(api, startedAgo, usedAgo)
    assert.equal(await statusOf(api, profile, person.token), status, `${role} ${startedAgo} ${usedAgo}`)
  }
})

test('requests extend the idle lifetime of a session but not the absolute one', async (t) => {
  const api = await testApi(t)
  const { token } = await createUserWithPassword(api)
  await ageSessions(api, '6 days', '23 hours')
  assert.equal(await statusOf(api, profile, token), 200)
  const { rows } = await api.pool.query(
    `select last_seen_at > now() - interval '1 minute' as fresh from sessions`,
  )
  assert.deepEqual(rows, [{ fresh: true }])
  // Further requests within a minute write nothing.
  const readRowVersion = async () =>
    (await api.pool.query<{ xmin: string }>('select xmin::text from sessions')).rows[0]?.xmin
  const before = await readRowVersion()
  for (let count = 0; count < 3; count += 1) assert.equal(await statusOf(api, profile, token), 200)
  assert.equal(await readRowVersion(), before)
  await api.pool.query(`update sessions set created_at = created_at - interval '2 days'`)
  assert.equal(await statusOf(api, profile, token), 401)
})

test('applies a changed role, its shorter lifetime and a ban with the next request', async (t) => {
  const api = await testApi(t)
  const { token } = await createUserWithPassword(api)
  const become = (role: string) => api.pool.query('update users set role = $1', [role])
  assert.equal(await statusOf(api, listClaimants, token), 403)
  await become('admin')
  assert.equal(await statusOf(api, listClaimants, token), 200)
  await become('user')
  assert.equal(await statusOf(api, listClaimants, token), 403)

  await ageSessions(api, '9 hours', '1 minute')
  assert.equal(await statusOf(api, profile, token), 200)
  await become('admin')
  assert.equal(await statusOf(api, profile, token), 401)
  await become('user')
  assert.equal(await statusOf(api, profile, token), 200)

  await api.pool.query('update users set banned_at = now()')
  assert.equal(await statusOf(api, profile, token), 401)
})

test('a logout ends its session alone, or all sessions of its account alone, on every node', async (t) => {
  const api = await testApi(t)
  const otherNode = await api.anotherNode()
  const { email, token } = await createUserWithPassword(api)
  const stranger = await createUserWithPassword(api)
  const { token: otherToken } = await api.logIn(email, PASSWORD)
  const { token: thirdToken } = await api.logIn(email, PASSWORD)
  const answer = await api.call(sessions.logout, { token })
  assert.deepEqual([answer.status, answer.body], [200, { message: 'Logged out successfully!' }])
  assert.equal((await otherNode.call(profile, { token })).status, 401)
  assert.equal((await otherNode.call(profile, { token: otherToken })).status, 200)
  assert.equal(await statusOf(api, sessions.logout, token), 401, 'a second logout is refused')

  const everywhere = await api.call(sessions.logoutAll, { token: otherToken })
  assert.deepEqual([everywhere.status, everywhere.body], [200, { message: 'Logged out successfully!' }])
  for (const ended of [otherToken, thirdToken])
    assert.equal((await otherNode.call(profile, { token: ended })).status, 401)
  assert.equal(await statusOf(api, profile, stranger.token), 200)
})

test('an eleventh login ends the oldest session', async (t) => {
  const api = await testApi(t)
  const { email, token: first } = await createUserWithPassword(api)
  await ageSessions(api, '1 hour', '1 minute')
  const tokens: string[] = []
  for (let count = 0; count < 10; count += 1) tokens.push((await api.logIn(email, PASSWORD)).token)
  assert.equal(new Set(tokens).size, 10, 'a new token for each login')
  assert.equal(await statusOf(api, profile, first), 401)
  for (const token of tokens) assert.equal(await statusOf(api, profile, token), 200)
})

test('leaves at most ten sessions after parallel logins', async (t) => {
  const node = await testNode(t)
  const { id, email } = await createUserWithPassword(node)
  // The hasher's queue would keep the logins from running in parallel.
  const deps = { ...node.deps, hasher: { ...node.deps.hasher, matches: async () => [true] } }
  // Fewer than the ten failures that lock an account: a login counts as one until its password is compared.
  const parallelLogins = 8
  for (let round = 0; round < ROUNDS; round += 1) {
    await node.pool.query('delete from rate_limits')
    const logins = Array.from({ length: parallelLogins }, (_, index) =>
      login(deps, { email, password: PASSWORD }, { network: `192.0.2.${index}` }),
    )
    await Promise.all(logins)
    const { rows } = await node.pool.query('select count(*) from sessions where user_id = $1', [id])
    // One session is from createUserWithPassword.
    const count = Math.min(10, 1 + parallelLogins * (round + 1))
    assert.deepEqual(rows, [{ count }], `round ${round}`)
  }
})

test('never answers parallel logouts with a server error', async (t) => {
  const api = await testApi(t)
  const people = await createUsers(api.db, api.deps.campaign.id, ROUNDS)
  for (const { token } of people) {
    const answers = await Promise.all([1, 2, 3, 4].map(() => api.call(sessions.logout, { token })))
    assert.ok(answers.every(({ status }) => status === 200 || status === 401))
    assert.ok(answers.some(({ status }) => status === 200))
  }
})

test('accepts nothing but a valid bearer in the authorization header', async (t) => {
  const api = await testApi(t)
  const { token } = await createUserWithPassword(api)
  const malformed = ['', ' ', 'null', 'undefined', '[object Object]', "' or 1=1 --", `${'%00'.repeat(14)}x`]
  const overlong = ['é'.repeat(43), 'A'.repeat(8_000)]
  const altered = [token.slice(0, 42), `${token}A`, `${token}=`, token.toLowerCase(), `"${token}"`]
  const spaced = [` ${token}`, `${token} x`, `${token},Bearer ${token}`, `${token} `.padEnd(53, '=')]
  const hashes = (['hex', 'base64url'] as const).map((encoding) => hashToken(token).toString(encoding))
  const unsignedJwt = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIiwicm9sZSI6ImFkbWluIn0.'
  const others = [newToken(), '_'.repeat(43), unsignedJwt, ...hashes]
  const basic = `Basic ${Buffer.from(`x:${token}`).toString('base64')}`
  const otherSchemes = ['Negotiate', basic, `Token ${token}`, `Digest username="x", token="${token}"`]
  const withoutScheme = ['', ' ', 'Bearer', token, `Bearer${token}`, `Bearer\t${token}`]
  const bearers = [...malformed, ...overlong, ...altered, ...spaced, ...others].map(
    (wrong) => `Bearer ${wrong}`,
  )
  for (const authorization of [...bearers, ...otherSchemes, ...withoutScheme]) {
    const { status, body } = await api.call(profile, { headers: { authorization } })
    assert.deepEqual([status, body.code], [401, 'unauthenticated'], authorization.slice(0, 60))
  }
  assert.equal((await api.call(profile, { headers: { authorization: `bearer ${token}` } })).status, 200)
  const otherPlaces: { url: string; headers?: Record<string, string> }[] = [
    { url: `/api/v1/users/profile?token=${token}` },
    { url: `/api/v1/users/profile?access_token=${token}` },
    { url: '/api/v1/users/profile', headers: { cookie: `token=${token}` } },
    { url: '/api/v1/users/profile', headers: { 'x-access-token': token } },
  ]
  for (const { url, headers } of otherPlaces) {
    const { status } = await api.inject({ url, headers: { host: 'localhost:3000', ...headers } })
    assert.equal(status, 401, url)
  }
  const { rows } = await api.pool.query('select token_hash from sessions')
  assert.deepEqual(rows, [{ token_hash: hashToken(token) }])
})

test('purges only expired sessions', async (t) => {
  const { db, pool, deps } = await testNode(t)
  const [live, old, idle] = await createUsers(db, deps.campaign.id, 3)
  const backdate = (id: string, column: string, ago: string) =>
    pool.query(`update sessions set ${column} = now() - $2::interval where user_id = $1`, [id, ago])
  await backdate(old.id, 'created_at', '7 days 00:01')
  await backdate(idle.id, 'last_seen_at', '24:01')
  await purgeSessions(db)
  const { rows } = await pool.query('select user_id from sessions')
  assert.deepEqual(rows, [{ user_id: live.id }])
})
