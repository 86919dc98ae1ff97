import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Readable } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { bareApp } from '../../testing/bare-app.ts'
import type { QueueLimits } from '../limits/fair-queue.ts'

/** A server whose calls to /api/slow end on demand. `started` lists their names. */
function slowServer(t: TestContext, admission: Partial<QueueLimits>) {
  const app = bareApp(t, { admission: { onOverload: undefined, ...admission } })
  const started: string[] = []
  const ends: (() => void)[] = []
  app.get<{ Querystring: { name: string } }>('/api/slow', async ({ query }) => {
    started.push(query.name)
    await new Promise<void>((resolve) => ends.push(resolve))
    return 'done'
  })
  app.get('/api/quick', async () => 'done')
  app.get('/page', async () => 'a page')
  app.get('/healthz', async () => 'ok')
  app.get('/api/broken', async () => {
    throw new Error('broken')
  })
  app.get('/api/nothing', async (_request, reply) => reply.callNotFound())
  const ask = async (url: string, remoteAddress = '192.0.2.1') => {
    const { statusCode, headers } = await app.inject({ url, remoteAddress })
    return { status: statusCode, retryAfter: headers['retry-after'] }
  }
  const slow = (name: string, remoteAddress?: string) => ask(`/api/slow?name=${name}`, remoteAddress)
  const endAll = async (all: Promise<{ status: number }>[]) => {
    const answered: number[] = []
    for (const call of all) void call.then(({ status }) => answered.push(status))
    while (answered.length < all.length) {
      for (const end of ends.splice(0)) end()
      await flushEvents()
    }
    return answered
  }
  const connect = async (path: string) => {
    if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    return request({ port, host: '127.0.0.1', path })
      .on('error', () => {})
      .end()
  }
  return { app, started, ask, slow, endAll, connect }
}

/** Runs the event loop until pending callbacks are done. */
async function flushEvents() {
  for (let left = 20; left > 0; left -= 1) await new Promise(setImmediate)
}

test('makes calls of a network wait without holding up pages, health checks or other networks', async (t) => {
  const { started, ask, slow, endAll } = slowServer(t, { concurrency: 3, concurrencyPerCaller: 2 })
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => slow(name))
  await flushEvents()
  assert.deepEqual(started, ['a1', 'a2'])
  assert.equal((await ask('/page')).status, 200)
  all.push(slow('b1', '192.0.2.2'), slow('b2', '192.0.2.2'))
  await flushEvents()
  assert.deepEqual(started, ['a1', 'a2', 'b1'])
  assert.equal((await ask('/healthz')).status, 200)
  assert.deepEqual(await endAll(all), Array(6).fill(200))
  assert.deepEqual(started.slice(0, 4).toSorted(), ['a1', 'a2', 'a3', 'b1'], 'a3 has waited longer than b2')
})

test('all addresses of an IPv6 /48 share one turn in the queue', async (t) => {
  const { started, slow, endAll } = slowServer(t, { concurrencyPerCaller: 1 })
  const all = ['1', '2', '3'].map((part) => slow(part, `2001:db8:7:${part}::1`))
  all.push(slow('other', '2001:db8:8::1'))
  await flushEvents()
  assert.deepEqual(started, ['1', 'other'])
  await endAll(all)
})

test('refuses a request that waits too long: 429 if its own network is the cause, else 503', async (t) => {
  const { slow, endAll } = slowServer(t, {
    concurrency: 2,
    concurrencyPerCaller: 1,
    maxWaitingPerCaller: 1,
    timeoutMs: 20,
    // Retry-After is then halfway between 1 and 3 seconds.
    random: () => 0.5,
  })
  const first = slow('a1')
  await flushEvents()
  const late = slow('a2')
  const beyondTheQueue = await slow('a3')
  assert.deepEqual(beyondTheQueue, { status: 429, retryAfter: '2' })
  assert.deepEqual(await late, { status: 429, retryAfter: '2' })
  const second = slow('b1', '192.0.2.2')
  await flushEvents()
  assert.deepEqual(await slow('c1', '192.0.2.3'), { status: 503, retryAfter: '2' })
  assert.deepEqual(await endAll([first, second]), [200, 200])
})

test('releases the permit when a stream begins, and however other requests end', async (t) => {
  const { app, ask, connect } = slowServer(t, {
    concurrencyPerCaller: 1,
    maxWaiting: 0,
    maxWaitingPerCaller: 0,
  })
  app.get('/api/stream', async (_request, reply) => {
    const stream = new Readable({ read() {} })
    stream.push('the first of many lines')
    return reply.send(stream)
  })
  const stream = await connect('/api/stream')
  await once(stream, 'response')
  for (const [url, status] of [
    ['/api/quick', 200],
    ['/api/broken', 500],
    ['/api/nothing', 404],
    ['/api/nowhere', 404],
    ['/api/quick', 200],
  ] as const) {
    await flushEvents()
    assert.equal((await ask(url, '127.0.0.1')).status, status, url)
  }
  stream.destroy()
})

for (const when of ['while', 'before'])
  test(`skips a client that disconnects ${when} it waits`, async (t) => {
    const { app, started, slow, endAll, connect } = slowServer(t, { concurrencyPerCaller: 1 })
    const arrived = Promise.withResolvers<Socket>()
    const resumed = Promise.withResolvers<void>()
    if (when === 'while') resumed.resolve()
    app.addHook('preValidation', async ({ url, socket }) => {
      if (!url.endsWith('a2')) return
      arrived.resolve(socket)
      await resumed.promise
    })
    const first = slow('a1', '127.0.0.1')
    await flushEvents()
    const client = await connect('/api/slow?name=a2')
    const socket = await arrived.promise
    client.destroy()
    await once(socket, 'close')
    resumed.resolve()
    await flushEvents()
    const last = slow('a3', '127.0.0.1')
    assert.deepEqual(await endAll([first, last]), [200, 200])
    assert.deepEqual(started, ['a1', 'a3'])
  })
