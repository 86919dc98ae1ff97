import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ownClaim, submitProof } from '#contract/claims/claims.ts'
import { openDatabase, openPool, SLOWEST } from '../platform/database/database.ts'
import { testApi } from '../testing/api.ts'
import { testDatabase } from '../testing/database.ts'
import { freshProof } from '../testing/builders/proof.ts'
import { databaseProxy } from '../testing/fakes/database-proxy.ts'

/** Milliseconds of the mocked clock: only what waits for a frozen connection times out, however busy the machine is. */
const TIMEOUT_MS = 6_000
const POOL = 6

test('waiting for a connection and its answer takes at most five seconds', () => {
  assert.ok(SLOWEST.connection <= 2_000)
  assert.ok(SLOWEST.connection + SLOWEST.answer <= 5_000)
})

test('after a firewall forgets the connections, one query fails and none of them is reused', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { url } = await testDatabase(t)
  const proxy = await databaseProxy(t, url)
  const errors: string[] = []
  const pool = openPool(proxy.url, (error) => errors.push(error.message), {
    max: POOL,
    timeoutMs: TIMEOUT_MS,
  })
  t.after(() => pool.end())
  const db = openDatabase(pool)
  const ask = () => db.transaction().execute((tx) => sql`select pg_sleep(0.01)`.execute(tx))
  await Promise.all(Array.from({ length: POOL }, ask))
  assert.equal(pool.totalCount, POOL)

  proxy.freeze()
  assert.equal(proxy.frozen(), POOL)
  const sent = proxy.nextDrop()
  const lost = assert.rejects(ask())
  await sent
  t.mock.timers.tick(TIMEOUT_MS)
  await lost
  for (let count = 0; count < 3 * POOL; count += 1) await ask()
  await Promise.all(Array.from({ length: 3 * POOL }, ask))
  assert.equal(proxy.frozen(), 0)
  assert.equal(pool.totalCount, POOL)
  assert.equal(errors.length, 1, errors.join('\n'))
})

test('queries under way on silent connections fail once each, later ones succeed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { url } = await testDatabase(t)
  const proxy = await databaseProxy(t, url)
  const pool = openPool(proxy.url, () => {}, { max: POOL, timeoutMs: TIMEOUT_MS })
  t.after(() => pool.end())
  const clients = await Promise.all(Array.from({ length: POOL }, () => pool.connect()))
  proxy.freeze()
  const lost = Promise.allSettled(clients.map((client) => client.query('select 1')))
  t.mock.timers.tick(TIMEOUT_MS)
  assert.deepEqual(new Set((await lost).map(({ status }) => status)), new Set(['rejected']))
  for (const client of clients) client.release()
  await pool.query('select 1')
  assert.equal(proxy.frozen(), 0)
})

test('after a failover, a write on the demoted server gets one 503, and no connection to it is reused', async (t) => {
  const api = await testApi(t, { max: POOL })
  const members = await Promise.all([1, 2, 3].map(() => api.participant()))
  const demoted = await Promise.all(Array.from({ length: POOL }, () => api.pool.connect()))
  for (const client of demoted) await client.query('set default_transaction_read_only = on')
  for (const client of demoted) client.release()
  assert.equal(api.pool.idleCount, POOL)
  const submit = async (index: number) =>
    api.call(submitProof, { token: members[index]?.token, body: freshProof() })
  const refused = await submit(0)
  assert.deepEqual([refused.status, refused.body.code], [503, 'unavailable'])
  assert.ok(Number(refused.headers['retry-after']) >= 1)
  for (const index of [0, 1, 2]) assert.equal((await submit(index)).status, 201)
})

test('an endpoint answers again after at most one 503, and the node stays ready', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const api = await testApi(t)
  const proxy = await databaseProxy(t, api.url)
  const node = await api.anotherNode({ url: proxy.url, timeoutMs: TIMEOUT_MS })
  const { token } = await api.participant()
  const tasks = async () => (await node.call(ownClaim, { token })).status
  const ready = async () => (await node.inject({ url: '/readyz' })).status
  assert.deepEqual(await Promise.all([tasks(), tasks(), tasks(), ready()]), [200, 200, 200, 200])
  /** The call's status when it has waited this long for each answer that is dropped. */
  const waited = async (milliseconds: number, drops: number, call: () => Promise<number>) => {
    let sent = proxy.nextDrop()
    const status = call()
    for (let left = drops; left > 0; left -= 1) {
      await sent
      sent = proxy.nextDrop()
      t.mock.timers.tick(milliseconds)
    }
    return status
  }
  proxy.freeze()
  assert.equal(await waited(TIMEOUT_MS / 2, 1, ready), 200)
  assert.equal(await waited(TIMEOUT_MS, 1, tasks), 503)
  for (let count = 0; count < 10; count += 1) assert.equal(await tasks(), 200)
  assert.equal(await ready(), 200)
  proxy.silence()
  // On the kept connection, then on a new one.
  assert.equal(await waited(TIMEOUT_MS / 2, 2, ready), 503)
  assert.equal(await waited(TIMEOUT_MS, 1, tasks), 503)
})
