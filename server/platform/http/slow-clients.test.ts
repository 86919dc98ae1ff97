import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { bareApp } from '../../testing/bare-app.ts'
import { until } from '../../testing/until.ts'
import { CONNECTION_LIMITS, type ConnectionLimits } from './slow-clients.ts'

const SHORT = { headersMs: 60, requestMs: 120, checkIntervalMs: 20, closeDelayMs: 20 }
const GET = 'GET /ip HTTP/1.1\r\nHost: localhost\r\n'

/** Starts a server with some routes. `open` connects a client that never closes its half of the connection. */
async function start(t: TestContext, connections: Partial<ConnectionLimits>, trustProxy: string[] = []) {
  const app = bareApp(t, { connections, trustProxy })
  const counts = { requests: 0, replies: 0 }
  app.addHook('onRequest', async () => void (counts.requests += 1))
  app.addHook('onResponse', async () => void (counts.replies += 1))
  app.get('/ip', async () => 'ok')
  app.post('/echo', async () => 'ok')
  app.get('/large', async () => Buffer.alloc(64 * 1024 * 1024))
  const events = new Readable({ read() {} })
  app.get('/events', (_request, reply) => reply.type('text/event-stream; charset=utf-8').send(events))
  const clients: Socket[] = []
  app.addHook('preClose', async () => clients.forEach((client) => client.destroy()))
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const open = async () => {
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    clients.push(client)
    client.on('error', () => {})
    const [[peer]] = (await Promise.all([once(app.server, 'connection'), once(client, 'connect')])) as [
      [Socket],
      unknown,
    ]
    return { client, peer }
  }
  return { counts, events, open }
}

async function assertAnswered(client: Socket): Promise<void> {
  client.write(`${GET}\r\n`)
  const [answer] = (await once(client, 'data')) as [Buffer]
  assert.match(answer.toString(), /^HTTP\/1\.1 200/)
}

const SLOW: [what: string, bytes: string][] = [
  ['nothing at all', ''],
  ['headers that do not end', GET],
  [
    'a body that does not end',
    'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  ],
]
for (const [what, bytes] of SLOW) {
  test(`${what}: answers 408 with the error body and closes even if the client keeps its half open`, async (t) => {
    const { open } = await start(t, SHORT)
    const { client, peer } = await open()
    const gone = once(peer, 'close')
    client.write(bytes)
    const [head = '', body = ''] = (await text(client)).split('\r\n\r\n')
    assert.match(head, /^HTTP\/1\.1 408 Request Timeout/)
    assert.match(head, /^connection: close$/im)
    assert.equal((JSON.parse(body) as { code: string }).code, 'request_timeout')
    await gone
  })
}

test('closes a connection whose reply is not read, but not one with an idle event stream', async (t) => {
  const { events, open } = await start(t, { idleMs: 100 })
  events.push(': open\n\n')
  const stream = await open()
  stream.client.write('GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(stream.client, 'data')
  const unread = await open()
  unread.client.pause()
  const gone = once(unread.peer, 'close')
  unread.client.write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await gone
  assert.equal(stream.peer.destroyed, false)
  events.push('event: slots\ndata: {}\n\n')
  const [chunk] = (await once(stream.client, 'data')) as [Buffer]
  assert.match(chunk.toString(), /event: slots/)
})

test('limits connections per network, unless behind a proxy', async (t) => {
  const { open } = await start(t, { maxConnectionsPerNetwork: 2 })
  const first = await open()
  await open()
  const third = await open()
  assert.equal(third.peer.destroyed, true)
  const free = once(first.peer, 'close')
  first.client.destroy()
  await free
  await assertAnswered((await open()).client)
  const proxied = await start(t, { maxConnectionsPerNetwork: 1 }, ['loopback'])
  await proxied.open()
  await assertAnswered((await proxied.open()).client)
})

test('closes a connection with too many requests in a row, and handles no more of them', async (t) => {
  const { counts, open } = await start(t, { maxPipelined: 4 })
  const patient = await open()
  for (let round = 0; round < 3; round += 1) {
    patient.client.write(`${GET}\r\n`.repeat(4))
    await until('four more requests are answered', () => counts.replies === 4 * (round + 1))
  }
  assert.equal(patient.peer.destroyed, false)
  const greedy = await open()
  const gone = once(greedy.peer, 'close')
  greedy.client.write(`${GET}\r\n`.repeat(1_000))
  await gone
  const ofPatient = 3 * 4
  assert.ok(counts.requests <= ofPatient + 4, `${counts.requests} requests were handled`)
})

test('two thousand idle connections do not keep others from being answered', async (t) => {
  // Behind a proxy, connections are not limited per network.
  const { open } = await start(t, { headersMs: 300_000, requestMs: 300_000, idleMs: 300_000 }, ['loopback'])
  const idle = []
  while (idle.length < 2_000) idle.push(await open())
  for (const { client } of [await open(), ...idle.slice(0, 1), ...idle.slice(-1)])
    await assertAnswered(client)
  assert.ok(idle.every(({ peer }) => !peer.destroyed))
})

test('by default, headers are cut off within ten seconds, and requests within thirty', async (t) => {
  const app = bareApp(t)
  const { headersMs, requestMs, checkIntervalMs, idleMs, maxConnections } = CONNECTION_LIMITS
  assert.ok(headersMs + checkIntervalMs <= 10_000)
  assert.ok(requestMs + checkIntervalMs <= 30_000)
  assert.ok(idleMs <= 30_000)
  // A plain copy, because the class of the expected object is compared as well.
  assert.partialDeepStrictEqual(
    { ...app.server },
    { headersTimeout: headersMs, requestTimeout: requestMs, timeout: idleMs, maxConnections },
  )
})
