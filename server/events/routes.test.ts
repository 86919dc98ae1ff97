import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { inTransaction, openDatabase, openPool } from '../platform/database.ts'
import { bareApp } from '../testing/bare-app.ts'
import { testDatabase } from '../testing/database.ts'
import { testDeps } from '../testing/deps.ts'
import { announce } from './announce.ts'
import { createEventHub } from './hub.ts'
import { createNews } from './news.ts'
import { addEvents } from './routes.ts'
import { eventSources } from './sources.ts'

type Options = { cap?: number; pingEvery?: number; block?: () => number | undefined }

/** A node that listens on a port of its own. */
async function node(t: TestContext, pool: Pool, { block = () => 369, ...options }: Options = {}) {
  const deps = await testDeps(openDatabase(pool))
  const app = bareApp(t)
  const sources = eventSources({ deps, pool, readBlock: () => Promise.resolve(block()) })
  addEvents(app, createEventHub(sources, { linger: 0 }), options)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return { app, deps, url: `http://127.0.0.1:${port}/api/v1/events` }
}

/** One message of a stream as a browser would split it. */
type Message = { event?: string; data?: unknown; retry?: number; comment?: string }

async function open(t: TestContext, url: string) {
  const request = get(url)
  t.after(() => request.destroy())
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const { statusCode: status, headers } = response
  const messages = read(response)
  const next = async () => (await messages.next()).value as Message
  /** Skips until the topic is heard. */
  const hear = async (topic: string): Promise<unknown> => {
    for (;;) {
      const message = await next()
      assert.ok(message, `the stream ended before ${topic}`)
      if (message.event === topic) return message.data
    }
  }
  const ended = async () => {
    while (await next()) continue
  }
  return { status, headers, next, hear, ended, close: () => request.destroy() }
}

async function* read(response: IncomingMessage): AsyncGenerator<Message> {
  let rest = ''
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) yield asMessage(block)
  }
}

function asMessage(block: string): Message {
  if (block.startsWith(':')) return { comment: block.slice(1).trim() }
  const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2))) as {
    event?: string
    data?: string
    retry?: string
  }
  if (fields.retry !== undefined) return { retry: Number(fields.retry) }
  return { event: fields.event ?? '', data: JSON.parse(fields.data ?? 'null') }
}

const takeSlot = (pool: Pool) =>
  inTransaction(openDatabase(pool), async (tx) => {
    await tx
      .updateTable('campaigns')
      .set((row) => ({ slots_taken: row('slots_taken', '+', 1) }))
      .execute()
    await announce(tx, 'slots')
  })

test('tells the state of each topic on connecting, with the headers of a stream', async (t) => {
  const { pool } = await testDatabase(t)
  const { url } = await node(t, pool)
  const { status, headers, next, hear } = await open(t, `${url}?topics=slots`)
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['x-accel-buffering'], 'no')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(String(headers['content-security-policy']), /default-src 'none'/)
  const { retry } = await next()
  assert.ok(retry && retry >= 2_000 && retry <= 8_000)
  assert.deepEqual(await hear('slots'), { total: 10_000, left: 10_000 })
  const all = await open(t, `${url}?topics=heartbeat,leaderboard`)
  const first = [await all.next(), await all.next(), await all.next()].map((message) => message.event)
  assert.deepEqual(new Set(first), new Set([undefined, 'heartbeat', 'leaderboard']))
})

test('tells on every node what was announced on one, and nothing that was rolled back', async (t) => {
  const { pool, url: database } = await testDatabase(t)
  const otherPool = openPool(database, () => {})
  const [here, there] = [await node(t, pool), await node(t, otherPool)]
  const streams = [await open(t, `${here.url}?topics=slots`), await open(t, `${there.url}?topics=slots`)]
  for (const { hear } of streams) assert.deepEqual(await hear('slots'), { total: 10_000, left: 10_000 })
  await takeSlot(pool)
  for (const { hear } of streams) assert.deepEqual(await hear('slots'), { total: 10_000, left: 9_999 })
  await assert.rejects(
    inTransaction(openDatabase(pool), async (tx) => {
      await tx.updateTable('campaigns').set({ slots_taken: 5_000 }).execute()
      await announce(tx, 'slots')
      throw new Error('no')
    }),
  )
  await takeSlot(otherPool)
  for (const { hear } of streams) assert.deepEqual(await hear('slots'), { total: 10_000, left: 9_998 })
  await there.app.close()
  await otherPool.end()
})

test('tells that the board changed', async (t) => {
  const { pool, db } = await testDatabase(t)
  const { url } = await node(t, pool)
  const { hear } = await open(t, `${url}?topics=leaderboard`)
  const { version: before } = (await hear('leaderboard')) as { version: number }
  await pool.query("select nextval('standings_reached')")
  await announce(db, 'leaderboard')
  const { version: after } = (await hear('leaderboard')) as { version: number }
  assert.ok(after > before)
})

test('survives the loss of its connections, and finds what it missed meanwhile', async (t) => {
  const { pool, url } = await testDatabase(t)
  const ours = openPool(url, () => {})
  const lost = Promise.withResolvers<void>()
  const back = Promise.withResolvers<void>()
  const log = Object.assign(pino({ level: 'silent' }), { warn: () => lost.resolve() })
  let listening = 0
  const news = createNews(ours, log, { retryAfter: 10 })
  const topics: unknown[] = []
  const unfollow = news.follow((topic) => {
    if (topic === undefined && ++listening === 2) back.resolve()
    if (topic !== undefined) topics.push(topic)
  })
  while (listening === 0) await new Promise(setImmediate)
  await pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await lost.promise
  await back.promise
  const heard = Promise.withResolvers<void>()
  news.follow(() => heard.resolve())
  await announce(openDatabase(pool), 'slots')
  await heard.promise
  assert.deepEqual(topics, ['slots'])
  unfollow()
  await ours.end()
})

test('refuses unknown topics in the error shape', async (t) => {
  const { pool } = await testDatabase(t)
  const { app } = await node(t, pool)
  const ask = async (query: string) => {
    const reply = await app.inject(`/api/v1/events${query}`)
    const { code, fields } = reply.json<{ code: string; fields: Record<string, string> }>()
    return [reply.statusCode, code, Object.keys(fields)]
  }
  assert.deepEqual(await ask('?topics=slots,prices'), [400, 'invalid_input', ['topics']])
  assert.deepEqual(await ask('?topics=toString'), [400, 'invalid_input', ['topics']])
  assert.deepEqual(await ask(''), [400, 'invalid_input', ['topics']])
  assert.deepEqual(await ask('?topics='), [400, 'invalid_input', ['topics']])
  assert.deepEqual(await ask('?topics=slots&topics=slots'), [400, 'invalid_input', ['topics']])
  assert.deepEqual(await ask('?topics=slots&since=1'), [400, 'invalid_input', ['since']])
})

test('over the cap the answer is 204; a place is free again when a stream is gone', async (t) => {
  const { pool } = await testDatabase(t)
  const { url } = await node(t, pool, { cap: 2 })
  const streams = [await open(t, `${url}?topics=slots`), await open(t, `${url}?topics=slots`)]
  const third = await open(t, `${url}?topics=slots`)
  assert.equal(third.status, 204)
  streams[0]?.close()
  for (;;) {
    const again = await open(t, `${url}?topics=slots`)
    if (again.status === 200) return
  }
})

test('pings, ends when the node drains, and lets it close', async (t) => {
  const { pool } = await testDatabase(t)
  const { app, url } = await node(t, pool, { pingEvery: 5 })
  const { next, ended } = await open(t, `${url}?topics=slots,heartbeat`)
  let message = await next()
  while (message.comment === undefined) message = await next()
  assert.equal(message.comment, 'ping')
  await Promise.all([app.close(), ended()])
})

test('a chain that cannot be reached is told once, as null', async (t) => {
  const { pool } = await testDatabase(t)
  const { url } = await node(t, pool, { block: () => undefined })
  const { hear } = await open(t, `${url}?topics=heartbeat`)
  assert.deepEqual(await hear('heartbeat'), { block: null })
})
