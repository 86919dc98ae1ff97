import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import * as accounts from '#contract/accounts.ts'
import { campaign } from '#contract/campaign.ts'
import { leaderboard } from '#contract/leaderboard.ts'
import { announce } from '../domain/events/announce.ts'
import { testApi } from '../testing/api.ts'
import { createUsers } from '../testing/builders/create-users.ts'
import { openStream } from '../testing/streams.ts'

const LONG = 600_000

test('a public answer is read once and shared while it is cached', async (t) => {
  const { call, pool } = await testApi(t, { keepPublicFor: LONG })
  const connect = t.mock.method(pool, 'connect')
  const answers = await Promise.all(Array.from({ length: 30 }, () => call(leaderboard)))
  answers.push(await call(leaderboard))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(connect.mock.callCount(), 1)
  // Another page is cached separately.
  await call(leaderboard, { query: { page: 2 } })
  assert.equal(connect.mock.callCount(), 2)
})

test('a change is visible to its author and to recipients of its event', async (t) => {
  const { app, call, db, deps, participant } = await testApi(t, { keepPublicFor: LONG })
  const noted = t.mock.method(deps.publicReads, 'noteChange')
  const people = async () =>
    ((await call(leaderboard)).body['pagination'] as { totalItems: number }).totalItems
  const left = async () => ((await call(campaign)).body.data as { slots: { left: number } }).slots.left
  assert.deepEqual([await people(), await left()], [0, 10_000])
  await participant()
  assert.deepEqual([await people(), await left()], [1, 10_000])
  assert.ok(noted.mock.callCount() > 0, 'a replica that lags must not answer the author')
  await createUsers(db, deps.campaign.id, 2)
  await db.updateTable('campaigns').set({ slots_taken: 1 }).execute()
  assert.deepEqual([await people(), await left()], [1, 10_000], 'cached until a change is announced')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const { hear } = await openStream(t, `http://127.0.0.1:${port}/api/v1/events?topics=slots`)
  await hear('slots')
  await people()
  noted.mock.resetCalls()
  await db.updateTable('campaigns').set({ slots_taken: 2 }).execute()
  await announce(db, 'slots')
  await hear('slots')
  assert.ok(noted.mock.callCount() > 0, 'nor those who hear of it')
  assert.deepEqual([await people(), await left()], [3, 9_998])
  // The stream uses a connection of the pool, which would otherwise end before the node.
  await app.close()
})

test('a refusal is not cached and evicts nothing', async (t) => {
  const { call, db, deps, pool } = await testApi(t, { keepPublicFor: LONG })
  const connect = t.mock.method(pool, 'connect', () => Promise.reject(new Error('Connection terminated')))
  assert.equal((await call(leaderboard)).status, 503)
  connect.mock.restore()
  assert.equal((await call(leaderboard)).status, 200)
  await createUsers(db, deps.campaign.id, 1)
  assert.equal((await call(accounts.register, { body: {} })).status, 400)
  assert.deepEqual((await call(leaderboard)).body.data, [])
})
