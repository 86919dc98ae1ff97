import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { test, type TestContext } from 'node:test'
import { serveStub } from '#server/testing/fakes/http-stub.ts'
import { recordAnswer, startBareServer } from './bare-server.ts'
import { rawRequest, runLoad, startLoad } from './load.ts'

/** @returns the port of a server that runs until the test ends. */
const serve = async (t: TestContext, listener: RequestListener): Promise<number> =>
  Number(new URL(await serveStub(t, listener)).port)

test('a load with `once` sends each request once, and counts answers by status', async (t) => {
  const seen: string[] = []
  const port = await serve(t, (request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    response.writeHead(request.url === '/2' ? 503 : 200).end('x'.repeat(100))
  })
  const requests = [1, 2, 3, 4].map((n) =>
    rawRequest(`/${n}`, { token: 't', ...(n === 4 && { body: { n } }) }),
  )
  const { statuses } = await runLoad({ port, connections: 2, requests, once: true })
  assert.deepEqual(seen.toSorted(), [
    'GET /1 Bearer t',
    'GET /2 Bearer t',
    'GET /3 Bearer t',
    'POST /4 Bearer t',
  ])
  assert.deepEqual(statuses, { 200: 3, 503: 1 })
})

test('a request refused with Retry-After is sent again, even if the server closes its connection', async (t) => {
  const seen: string[] = []
  const port = await serve(t, ({ url = '' }, response) => {
    const isFirst = !seen.includes(url)
    seen.push(url)
    if (!isFirst) response.writeHead(201).end()
    else response.writeHead(503, { 'retry-after': '0', ...(url === '/2' && { connection: 'close' }) }).end()
  })
  const requests = [1, 2, 3].map((n) => rawRequest(`/${n}`))
  const { statuses } = await runLoad({ port, connections: 2, requests, once: true, retries: true })
  assert.deepEqual(statuses, { 503: 3, 201: 3 })
  assert.deepEqual(seen.toSorted(), ['/1', '/1', '/2', '/2', '/3', '/3'])
})

test('a connection closed by the server is opened again, and counts as disconnected if an answer was due', async (t) => {
  let requests = 0
  const port = await serve(t, (request, response) => {
    requests += 1
    if (requests === 2) request.socket.destroy()
    else response.writeHead(200, { connection: 'close' }).end('bye')
  })
  const fourRequests = Array.from({ length: 4 }, () => rawRequest('/'))
  const { statuses } = await runLoad({ port, connections: 1, requests: fourRequests, once: true })
  assert.deepEqual(statuses, { 200: 3, disconnected: 1 })
})

test('an open loop measures latency from when a request was due, not from when it was sent', async (t) => {
  const held: (() => void)[] = []
  const firstHeld = Promise.withResolvers<void>()
  const port = await serve(t, (_, response) => {
    held.push(() => response.end('late'))
    firstHeld.resolve()
  })
  const load = await startLoad({
    port,
    connections: 1,
    requests: ['a', 'b'].map((n) => rawRequest(`/${n}`)),
    rate: 1_000,
    once: true,
  })
  await Promise.race([firstHeld.promise, load.done])
  // The second request is due a millisecond later, but waits at least 100 ms for the only connection.
  const heldAt = performance.now()
  while (performance.now() < heldAt + 100) await new Promise(setImmediate)
  held[0]?.()
  while (held.length < 2) await new Promise(setImmediate)
  held[1]?.()
  const { p50, max, statuses } = await load.done
  assert.deepEqual(statuses, { 200: 2 })
  assert.ok(p50 > 90 && max > 90, `the median, ${p50} ms, and the maximum, ${max} ms, include the wait`)
})

test('a load without a limit ends with a result when it is stopped', async (t) => {
  const port = await serve(t, (_, response) => void response.end('ok'))
  const load = await startLoad({ port, connections: 3, requests: [rawRequest('/')] })
  const { perSecond } = await load.stop()
  assert.ok(Number.isFinite(perSecond))
})

test('a bare server gives the recorded answer, byte for byte', async (t) => {
  const original = await serve(t, (request, response) => {
    response.writeHead(203, { etag: `"${request.headers['if-none-match']}"`, 'content-type': 'image/png' })
    response.end(Buffer.from([0, 255, 13, 10]))
  })
  const answer = await recordAnswer(original, '/', { 'if-none-match': 'x' })
  const copy = await recordAnswer(await startBareServer({ after: (end) => t.after(end) }, answer), '/')
  const withoutDate = (namesAndValues: string[]) =>
    namesAndValues.filter((_, index) => namesAndValues[index - (index % 2)] !== 'Date').toSorted()
  assert.equal(copy.status, 203)
  assert.equal(copy.body, Buffer.from([0, 255, 13, 10]).toString('base64'))
  assert.deepEqual(withoutDate(copy.headers), withoutDate(answer.headers))
})
