import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import pg from 'pg'
import { type Database, inTransaction, openDatabase, openPool } from '#server/platform/database/database.ts'
import { bareApp } from '#server/testing/bare-app.ts'
import { LONG_TIMEOUT, testDatabase } from '#server/testing/database/database.ts'
import { testDeps } from '#server/testing/deps.ts'
import { untilWaiting } from '#server/testing/database/races.ts'
import { openStream } from '#server/testing/streams.ts'
import { until } from '#server/testing/until.ts'
import { announce } from './announce.ts'
import { createEventHub } from './hub.ts'
import { addEvents } from './routes.ts'
import { createEventSources } from './sources.ts'

type NodeOptions = {
  maxStreams?: number
  maxPerNetwork?: number
  pingIntervalMs?: number
  block?: () => number | undefined
  database?: string | undefined
  trustProxy?: string[]
}

/** @param options.database the URL of another node's database; by default, there is a new one. */
async function startNode(
  t: TestContext,
  { block = () => 369, database, trustProxy = [], ...options }: NodeOptions = {},
) {
  // Created first, so that it is closed before the database: an open stream holds a connection.
  const app = bareApp(t, { trustProxy })
  const shared = database ? { pool: openPool(database, LONG_TIMEOUT), url: database } : undefined
  t.after(() => shared?.pool.end())
  const { pool, url: databaseUrl } = shared ?? (await testDatabase(t))
  const deps = await testDeps(openDatabase(pool))
  const sources = createEventSources({ deps, pool, readBlock: () => Promise.resolve(block()) })
  addEvents(app, createEventHub(sources, { lingerMs: 0 }), options)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/api/v1/events`
  return { app, db: deps.db, pool, database: databaseUrl, url }
}

const takeSlot = (db: Database) =>
  inTransaction(db, async (tx) => {
    await tx
      .updateTable('campaigns')
      .set((row) => ({ slots_taken: row('slots_taken', '+', 1) }))
      .execute()
    await announce(tx, 'slots')
  })

test('a stream begins with the present state of its topics', async (t) => {
  const { app, url } = await startNode(t, { block: () => undefined })

  await t.test('of one topic, with stream headers', async () => {
    const { status, headers, next, hear } = await openStream(t, `${url}?topics=slots`)
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(headers, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    assert.match(String(headers['content-security-policy']), /default-src 'none'/)
    const { retry } = await next()
    // Random, so that browsers do not all reconnect at once.
    assert.ok(retry && retry >= 2_000 && retry <= 8_000)
    assert.deepEqual(await hear('slots'), { total: 10_000, left: 10_000, isPaused: false })
  })

  await t.test('of every public topic if the request names none', async () => {
    const { next } = await openStream(t, url)
    const { retry } = await next()
    assert.ok(retry)
    const messages = [await next(), await next(), await next(), await next()]
    const topics = messages.map(({ event }) => String(event)).toSorted()
    assert.deepEqual(topics, ['heartbeat', 'leaderboard', 'proofs', 'slots'])
  })

  await t.test('with null as the block while the chain is unreachable', async () => {
    const { hear } = await openStream(t, `${url}?topics=heartbeat`)
    assert.deepEqual(await hear('heartbeat'), { block: null })
  })

  await t.test('unless its topics are unknown, missing or repeated, or a field is unknown', async () => {
    for (const [query, field] of [
      ['topics=slots,prices', 'topics'],
      ['topics=toString', 'topics'],
      ['topics=', 'topics'],
      ['topics=slots&topics=slots', 'topics'],
      ['topics=slots&since=1', 'since'],
    ]) {
      const reply = await app.inject(`/api/v1/events?${query}`)
      const { code, fields } = reply.json<{ code: string; fields: Record<string, string> }>()
      assert.deepEqual([reply.statusCode, code, Object.keys(fields)], [400, 'invalid_input', [field]], query)
    }
  })
})

test('passes announcements to every node, unless their transaction is rolled back', async (t) => {
  const here = await startNode(t)
  const there = await startNode(t, { database: here.database })
  const streams = [
    await openStream(t, `${here.url}?topics=slots`),
    await openStream(t, `${there.url}?topics=slots`),
  ]
  const assertHeard = async (left: number) => {
    for (const { hear } of streams)
      assert.deepEqual(await hear('slots'), { total: 10_000, left, isPaused: false })
  }
  await assertHeard(10_000)
  await takeSlot(here.db)
  await assertHeard(9_999)
  const failing = inTransaction(here.db, async (tx) => {
    await tx.updateTable('campaigns').set({ slots_taken: 5_000 }).execute()
    await announce(tx, 'slots')
    throw new Error('The transaction fails.')
  })
  await assert.rejects(failing, /The transaction fails/)
  await takeSlot(there.db)
  await assertHeard(9_998)
})

test('sends a new version of the leaderboard after each announcement, even if transactions overlap', async (t) => {
  const { url, pool, db } = await startNode(t)
  const { hear } = await openStream(t, `${url}?topics=leaderboard`)
  const hearVersion = async () => ((await hear('leaderboard')) as { version: number }).version
  const versions = [await hearVersion()]
  // Two transactions have each counted a change, and neither has committed.
  await pool.query("select nextval('standings_reached'), nextval('standings_reached')")
  for (const _commit of [1, 2]) {
    await announce(db, 'leaderboard')
    versions.push(await hearVersion())
  }
  const increasing = [...new Set(versions)].toSorted((a, b) => a - b)
  assert.deepEqual(versions, increasing)
})

test('a source that is stopped while it reads the state does not publish it', async (t) => {
  const { db, pool, ownerUrl } = await testDatabase(t)
  const deps = await testDeps(db)
  const { slots } = createEventSources({ deps, pool, readBlock: () => Promise.resolve(369) })
  const published: unknown[] = []
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    await owner.query('begin; lock table campaigns in access exclusive mode')
    const stop = slots((state) => published.push(state))
    await untilWaiting(db, 1)
    stop()
  } finally {
    await owner.end()
  }
  await until('the read is over', () => pool.idleCount === pool.totalCount)
  await new Promise(setImmediate)
  assert.deepEqual(published, [])
})

test('answers 204 over the limit until a stream is closed', async (t) => {
  const { url } = await startNode(t, { maxStreams: 2 })
  const openNext = () => openStream(t, `${url}?topics=slots`)
  const streams = [await openNext(), await openNext(), await openNext()]
  const statuses = streams.map(({ status }) => status)
  assert.deepEqual(statuses, [200, 200, 204])
  streams[0]?.close()
  await until('a stream is accepted again', async () => (await openNext()).status === 200)
})

test('limits the streams of one network (IPv6: /48) without affecting others', async (t) => {
  const { url } = await startNode(t, { maxPerNetwork: 2, trustProxy: ['loopback'] })
  const statusFor = async (address: string) =>
    (await openStream(t, `${url}?topics=slots`, { 'x-forwarded-for': address })).status
  const sameNetwork = ['2001:db8:7:1::1', '2001:db8:7:2::1', '2001:db8:7:3::1', '2001:db8:7::1']
  const statuses: (number | undefined)[] = []
  for (const address of [...sameNetwork, '2001:db8:8::1', '192.0.2.1'])
    statuses.push(await statusFor(address))
  assert.deepEqual(statuses, [200, 200, 204, 204, 200, 200])
})

test('sends pings, and ends when the node drains', async (t) => {
  const { app, url } = await startNode(t, { pingIntervalMs: 5 })
  const { next, ended } = await openStream(t, `${url}?topics=slots,heartbeat`)
  let message = await next()
  while (message.comment === undefined) message = await next()
  assert.equal(message.comment, 'ping')
  await Promise.all([app.close(), ended()])
})
