import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { openPool } from '#server/platform/database/database.ts'
import { LONG_TIMEOUT, testDatabase } from '#server/testing/database.ts'
import { until } from '#server/testing/until.ts'
import { announce } from './announce.ts'
import { createAnnouncements } from './announcements.ts'

test('logs the loss of its connection once, reconnects, and reports possibly missed announcements', async (t) => {
  const { db, pool, url } = await testDatabase(t)
  const ours = openPool(url, () => {}, LONG_TIMEOUT)
  const warnings: string[] = []
  const warn = (_cause: unknown, line: string) => warnings.push(line)
  const announcements = createAnnouncements(ours, Object.assign(pino({ level: 'silent' }), { warn }), {
    retryMs: 10,
  })
  const payloads: (string | undefined)[] = []
  let onNews = () => {}
  const nextNews = () => new Promise<void>((resolve) => (onNews = resolve))
  const connected = nextNews()
  const unsubscribe = announcements.subscribe((topic) => {
    payloads.push(topic)
    onNews()
  })
  await connected
  const back = nextNews()
  await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`)
  await back
  const received = nextNews()
  await announce(db, 'slots')
  await received
  assert.deepEqual(payloads, [undefined, undefined, 'slots'])
  assert.equal(warnings.length, 1)
  unsubscribe()
  await ours.end()
})

test('a health check of the connection does not count as missed announcements', async (t) => {
  const { db, url } = await testDatabase(t)
  const ours = openPool(url, () => {}, LONG_TIMEOUT)
  let checks = 0
  ours.on('acquire', (client) => {
    const query = client.query.bind(client) as (text: string) => Promise<unknown>
    t.mock.method(client, 'query', async (text: string) => {
      const result = await query(text)
      if (text === 'select 1') checks += 1
      return result
    })
  })
  const announcements = createAnnouncements(ours, pino({ level: 'silent' }), { checkIntervalMs: 1 })
  const payloads: (string | undefined)[] = []
  const unsubscribe = announcements.subscribe((payload) => payloads.push(payload))
  await until('the connection was checked twice', () => checks >= 2)
  await announce(db, 'slots')
  await until('the announcement arrives', () => payloads.includes('slots'))
  unsubscribe()
  await ours.end()
  assert.deepEqual(payloads, [undefined, 'slots'])
})

test('holds a connection only while there are subscribers', async (t) => {
  const { url } = await testDatabase(t)
  const ours = openPool(url, () => {}, LONG_TIMEOUT)
  const announcements = createAnnouncements(ours, pino({ level: 'silent' }))
  const connected = Promise.withResolvers<void>()
  const unsubscribe = announcements.subscribe(() => connected.resolve())
  const unsubscribeToo = announcements.subscribe(() => {})
  await connected.promise
  assert.equal(ours.totalCount, 1)
  unsubscribe()
  unsubscribeToo()
  // Resolves only once the connection is released.
  await ours.end()
})
