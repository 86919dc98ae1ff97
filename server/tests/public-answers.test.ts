import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as accounts from '#contract/accounts/accounts.ts'
import { ENDPOINTS } from '#server/testing/endpoints.ts'
import { campaign } from '#contract/campaign.ts'
import { leaderboard } from '#contract/leaderboard.ts'
import * as sessions from '#contract/accounts/sessions.ts'
import { announce } from '../domain/events/announce.ts'
import { PASSWORD, testApi, type TestApi } from '../testing/api.ts'
import { createUsers } from '../testing/builders/create-users.ts'
import { createUserWithPassword } from '../testing/builders/users-with-password.ts'
import { openStream } from '../testing/streams.ts'

const TEN_MINUTES_MS = 600_000

const countListed = async (call: TestApi['call']) =>
  ((await call(leaderboard)).body['pagination'] as { totalItems: number }).totalItems

const readSlotsLeft = async (call: TestApi['call']) =>
  ((await call(campaign)).body.data as { slots: { left: number } }).slots.left

test('a public answer is read once and shared while it is cached', async (t) => {
  const { call, pool } = await testApi(t, { keepPublicForMs: TEN_MINUTES_MS })
  const connect = t.mock.method(pool, 'connect')
  const answers = await Promise.all(Array.from({ length: 30 }, () => call(leaderboard)))
  answers.push(await call(leaderboard))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(connect.mock.callCount(), 1)
  // Another page is cached separately, but only once, however its number is spelled.
  for (const page of ['2', '02', '000000002']) await call(leaderboard, { query: { page } })
  assert.equal(connect.mock.callCount(), 2)
})

test('every public answer has an ETag, may be cached for a second, and may be read by other origins', async (t) => {
  const { call, deps } = await testApi(t, { keepPublicForMs: TEN_MINUTES_MS })
  const endpoints = ENDPOINTS.filter(({ cache }) => cache === 'public')
  assert.ok(endpoints.length >= 3)
  for (const endpoint of endpoints) {
    const params = { contract: deps.campaign.token.contract, id: deps.campaign.id }
    const { status, headers } = await call(endpoint, { params })
    assert.equal(status, 200, endpoint.path)
    assert.equal(headers['cache-control'], 'public, max-age=1, stale-while-revalidate=5', endpoint.path)
    assert.equal(headers['access-control-allow-origin'], '*', endpoint.path)
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin', endpoint.path)
    const again = await call(endpoint, { params, headers: { 'if-none-match': String(headers['etag']) } })
    assert.deepEqual([again.status, again.text, again.headers['etag']], [304, '', headers['etag']])
  }
})

test('no node serves an answer for more than a second, even if it hears of no change', async (t) => {
  const { call, participant, anotherNode } = await testApi(t, { keepPublicForMs: 1_000 })
  const other = await anotherNode()
  const clock = { ms: 0 }
  t.mock.method(performance, 'now', () => clock.ms)
  assert.deepEqual([await countListed(call), await countListed(other.call)], [0, 0])
  await participant()
  assert.deepEqual([await countListed(call), await countListed(other.call)], [1, 0])
  clock.ms = 1_000
  assert.deepEqual([await countListed(call), await countListed(other.call)], [1, 1])
})

test('a call evicts the public answers that its endpoint may change, by default all', async (t) => {
  const api = await testApi(t, { keepPublicForMs: TEN_MINUTES_MS })
  const { call, db, deps } = api
  const { email } = await createUserWithPassword(api)
  assert.equal(await countListed(call), 1)
  await createUsers(db, deps.campaign.id, 1)
  // `login` declares that it changes no public answer; `logout` declares nothing.
  const { status, body } = await call(sessions.login, { body: { email, password: PASSWORD } })
  assert.deepEqual([status, await countListed(call)], [200, 1])
  assert.equal((await call(sessions.logout, { token: String(body['token']) })).status, 200)
  assert.equal(await countListed(call), 2)
})

test('the author of a change sees it at once, others only once it is announced', async (t) => {
  const { call, db, deps, participant } = await testApi(t, { keepPublicForMs: TEN_MINUTES_MS })
  const recordWrite = t.mock.method(deps.publicReads, 'recordWrite')
  const read = async () => ({ listed: await countListed(call), slotsLeft: await readSlotsLeft(call) })
  assert.deepEqual(await read(), { listed: 0, slotsLeft: 10_000 })
  await participant()
  assert.deepEqual(await read(), { listed: 1, slotsLeft: 10_000 })
  assert.ok(recordWrite.mock.callCount() > 0, 'a replica that lags must not answer the author')
  await createUsers(db, deps.campaign.id, 2)
  await db.updateTable('campaigns').set({ slots_taken: 1 }).execute()
  assert.deepEqual(await read(), { listed: 1, slotsLeft: 10_000 })
})

test('a client that gets an event reads the change', async (t) => {
  const { app, call, db, deps } = await testApi(t, { keepPublicForMs: TEN_MINUTES_MS })
  const recordWrite = t.mock.method(deps.publicReads, 'recordWrite')
  assert.equal(await countListed(call), 0)
  await createUsers(db, deps.campaign.id, 1)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  // The first stream starts both topics. Like an event, their present state evicts the answers.
  const { hear } = await openStream(t, `${origin}/api/v1/events?topics=slots,leaderboard`)
  await hear('slots')
  await hear('leaderboard')
  assert.equal(await countListed(call), 1)
  assert.equal(await readSlotsLeft(call), 10_000)

  recordWrite.mock.resetCalls()
  await db.updateTable('campaigns').set({ slots_taken: 2 }).execute()
  await announce(db, 'slots')
  await hear('slots')
  assert.ok(recordWrite.mock.callCount() > 0, 'a replica that lags must not answer those who hear of it')
  assert.equal(await readSlotsLeft(call), 9_998)

  await createUsers(db, deps.campaign.id, 1)
  await announce(db, 'leaderboard')
  await hear('leaderboard')
  assert.equal(await countListed(call), 2)
})

test('a refusal is not cached and evicts nothing', async (t) => {
  const { call, db, deps, pool } = await testApi(t, { keepPublicForMs: TEN_MINUTES_MS })
  const connect = t.mock.method(pool, 'connect', () => Promise.reject(new Error('Connection terminated')))
  assert.equal((await call(leaderboard)).status, 503)
  connect.mock.restore()
  assert.equal((await call(leaderboard)).status, 200)
  await createUsers(db, deps.campaign.id, 1)
  assert.equal((await call(accounts.register, { body: {} })).status, 400)
  assert.deepEqual((await call(leaderboard)).body.data, [], 'still the answer in memory')
})
