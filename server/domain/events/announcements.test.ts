import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { openPool } from '#server/platform/database/database.ts'
import { logLines } from '#server/testing/checks/log-lines.ts'
import { LONG_TIMEOUT, testDatabase } from '#server/testing/database/database.ts'
import { until } from '#server/testing/until.ts'
import { announce } from './announce.ts'
import { createAnnouncements } from './announcements.ts'

/** The test must end `pool`, after all have unsubscribed. */
async function setUp(t: TestContext, options: Parameters<typeof createAnnouncements>[2] = {}) {
  const database = await testDatabase(t)
  const pool = openPool(database.url, LONG_TIMEOUT)
  const { log, lines } = logLines()
  return { ...database, pool, lines, announcements: createAnnouncements(pool, log, options) }
}

test('reconnects after a lost connection and tells subscribers that they may have missed announcements', async (t) => {
  const { db, pool, lines, announcements } = await setUp(t, { retryMs: 10 })
  const payloads: (string | undefined)[] = []
  let onPayload = () => {}
  const nextPayload = () => new Promise<void>((resolve) => (onPayload = resolve))
  const connected = nextPayload()
  const unsubscribe = announcements.subscribe((payload) => {
    payloads.push(payload)
    onPayload()
  })
  await connected

  const reconnected = nextPayload()
  const connect = t.mock.method(pool, 'connect', () => Promise.reject(new Error('Connection refused')))
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
      and backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(db)
  await until('reconnecting has failed twice', () => connect.mock.callCount() >= 2)
  connect.mock.restore()
  await reconnected
  const announced = nextPayload()
  await announce(db, 'slots')
  await announced

  assert.deepEqual(payloads, [undefined, undefined, 'slots'], 'undefined after each connection')
  const [line, ...others] = lines()
  assert.deepEqual(others, [], 'the loss is logged once, however often reconnecting fails')
  assert.match(JSON.stringify(line), /terminating connection due to administrator command/)
  unsubscribe()
  await pool.end()
})

test('a health check of the connection does not count as missed announcements', async (t) => {
  const { db, pool, announcements } = await setUp(t, { checkIntervalMs: 1 })
  let healthChecks = 0
  pool.on('acquire', (client) => {
    const query = client.query.bind(client) as (text: string) => Promise<unknown>
    t.mock.method(client, 'query', async (text: string) => {
      const result = await query(text)
      if (text === 'select 1') healthChecks += 1
      return result
    })
  })
  const payloads: (string | undefined)[] = []
  const unsubscribe = announcements.subscribe((payload) => payloads.push(payload))
  await until('the connection was checked twice', () => healthChecks >= 2)
  await announce(db, 'slots')
  await until('the announcement arrives', () => payloads.includes('slots'))
  unsubscribe()
  await pool.end()
  assert.deepEqual(payloads, [undefined, 'slots'])
})

test('holds one connection, and only while there are subscribers', async (t) => {
  const { pool, announcements } = await setUp(t)
  const connected = Promise.withResolvers<void>()
  const unsubscribe = announcements.subscribe(() => connected.resolve())
  const unsubscribeOther = announcements.subscribe(() => {})
  await connected.promise
  assert.equal(pool.totalCount, 1)
  unsubscribe()
  unsubscribeOther()
  // Resolves only when the connection has been released.
  await pool.end()
})
