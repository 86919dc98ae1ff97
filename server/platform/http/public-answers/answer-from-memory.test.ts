import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http'
import { connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { bareApp } from '#server/testing/bare-app.ts'
import { logLines } from '#server/testing/checks/log-lines.ts'
import { until } from '#server/testing/until.ts'
import type { HttpOptions } from '../server.ts'
import { createAnswer } from './answer.ts'
import { createPublicAnswers, type Exchange, fixedSource } from './public-answers.ts'

const LONG = 'a long public text, '.repeat(500)

/**
 * A listening server with a public answer at `/board`. It counts the requests that reach Fastify. With the
 * compression `best`, an encoding is made when it is first asked for.
 */
async function serve(
  t: TestContext,
  options: Partial<HttpOptions> = {},
  compression: 'best' | 'fast' = 'fast',
) {
  const publicAnswers = createPublicAnswers({ keepForMs: 1_000 })
  const captured = logLines()
  const app = bareApp(t, { logger: captured.log, publicAnswers, ...options })
  const counts = { fastify: 0 }
  app.addHook('onRequest', async () => void (counts.fastify += 1))
  const servedFromMemory: Exchange[] = []
  publicAnswers.whenServed((exchange) => servedFromMemory.push(exchange))

  const about = {
    type: 'text/plain; charset=utf-8',
    headers: { 'cache-control': 'public, max-age=1', 'access-control-allow-origin': '*' },
    compression,
  } as const
  const source = fixedSource(await createAnswer(LONG, about))
  app.get('/board', (request, reply) => publicAnswers.send(request, reply, source))
  const whileClosing = { run: async () => {} }
  app.addHook('preClose', () => whileClosing.run())

  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const ask = (headers: Record<string, string> = {}, { method = 'GET', path = '/board' } = {}) =>
    askServer({ port, agent, method, path, headers: { host: 'localhost:3000', ...headers } })
  /** Waits for `count` lines. */
  const accessLog = async (count: number) => {
    const requests = () => captured.lines().filter(({ msg }) => msg === 'request')
    await until(`${count} requests are logged`, () => requests().length >= count)
    return requests()
  }
  return { app, port, ask, counts, servedFromMemory, accessLog, captured, whileClosing }
}

async function askServer(options: RequestOptions) {
  const request = httpRequest({ host: '127.0.0.1', ...options }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const { statusCode: status, headers } = response
  return { status, headers, body: (await buffer(response)).toString('base64') }
}

/** Without headers that depend on the time or the connection. */
const lasting = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^(date|connection|keep-alive)$/.test(name)))

const REQUESTS: [what: string, headers: Record<string, string>, method: string][] = [
  ['GET', {}, 'GET'],
  ['GET of brotli', { 'accept-encoding': 'gzip, br' }, 'GET'],
  ['GET of gzip', { 'accept-encoding': 'gzip' }, 'GET'],
  ['GET with credentials', { authorization: 'Bearer x', cookie: 'binding=x' }, 'GET'],
  ['GET from another origin', { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' }, 'GET'],
  ['GET with a cached copy', { 'if-none-match': '*' }, 'GET'],
  ['GET of brotli with a cached copy', { 'if-none-match': '*', 'accept-encoding': 'br' }, 'GET'],
  ['reload with a cached copy', { 'if-none-match': '*', 'cache-control': 'no-cache' }, 'GET'],
  ['HEAD', {}, 'HEAD'],
  ['HEAD of brotli', { 'accept-encoding': 'br' }, 'HEAD'],
  ['HEAD with a cached copy', { 'if-none-match': '*' }, 'HEAD'],
]
for (const publicUrl of ['http://localhost:3000', 'https://localhost:3000'])
  test(`at ${publicUrl}, an answer from memory equals that of Fastify`, async (t) => {
    const { app, ask, counts, servedFromMemory, accessLog } = await serve(t, { publicUrl })
    // Only later requests for a URL can be answered from memory.
    await ask()
    for (const [index, [what, headers, method]] of REQUESTS.entries()) {
      const fastifyCount = counts.fastify
      const fromMemory = await ask(headers, { method })
      assert.equal(counts.fastify, fastifyCount, what)
      const viaFastify = await app.inject({
        method: method as 'GET',
        url: '/board',
        headers: { host: 'localhost:3000', ...headers },
      })
      assert.equal(counts.fastify, fastifyCount + 1, what)

      // Fastify adds a wrong length to a 304 for HEAD.
      if (viaFastify.statusCode === 304) delete viaFastify.headers['content-length']
      assert.deepEqual(lasting(fromMemory.headers), lasting(viaFastify.headers), what)
      assert.equal(fromMemory.status, viaFastify.statusCode, what)
      assert.equal(fromMemory.body, viaFastify.rawPayload.toString('base64'), what)

      const requestsSoFar = 1 + 2 * (index + 1)
      const lines = await accessLog(requestsSoFar)
      const [one, other] = lines.slice(-2).map(({ time: _time, ms: _ms, reqId: _reqId, ...line }) => line)
      assert.deepEqual(one, other, what)
      const ids = lines.map(({ reqId }) => String(reqId))
      assert.equal(new Set(ids).size, lines.length)
      for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
      const exchange = { method, route: '/board', status: viaFastify.statusCode }
      assert.deepEqual(servedFromMemory[index], exchange, what)
    }
  })

test('an unknown URL, another method and a foreign host reach Fastify', async (t) => {
  const { ask, counts } = await serve(t)
  await ask()
  assert.equal(counts.fastify, 1)
  // Fastify refuses a foreign host before the hook that counts.
  assert.equal((await ask({ host: 'evil.example' })).status, 400)
  assert.equal((await ask({}, { method: 'POST' })).status, 404)
  assert.equal((await ask({}, { path: '/board?x=1' })).status, 200)
  assert.equal((await ask({}, { path: '/other' })).status, 404)
  assert.equal((await ask({}, { path: '/other' })).status, 404)
  assert.equal(counts.fastify, 5)
  await ask({}, { path: '/board?x=1' })
  assert.equal(counts.fastify, 5, 'the URL is known by now')
})

test('only the first request for an encoding that is made on demand reaches Fastify', async (t) => {
  const { ask, counts } = await serve(t, {}, 'best')
  const encodings: unknown[] = []
  for (const accepted of ['br', 'br', 'gzip', 'gzip'])
    encodings.push((await ask({ 'accept-encoding': accepted })).headers['content-encoding'])
  assert.deepEqual(encodings, ['br', 'br', 'gzip', 'gzip'])
  assert.equal(counts.fastify, 2, 'one request for each encoding')
})

test('names of parameters are logged, without their values', async (t) => {
  const { ask, accessLog, captured } = await serve(t)
  for (let count = 0; count < 2; count += 1)
    await ask({}, { path: '/board?utm_source=al%40mail.example&123456=1' })
  for (const { parameters } of await accessLog(2)) assert.deepEqual(parameters, ['utm_source', '-'])
  assert.doesNotMatch(captured.text(), /mail\.example|123456/)
})

test('behind a proxy, new visitors reach Fastify, and each is logged as a separate network', async (t) => {
  const { ask, counts, accessLog } = await serve(t, { trustProxy: ['loopback'] })
  const [ann, ben] = ['198.51.100.1', '198.51.100.2']
  for (const visitor of [ann, ben, ann, ben, `203.0.113.9, ${ann}`]) await ask({ 'x-forwarded-for': visitor })
  const [ofAnn, ofBen, ...later] = (await accessLog(5)).map(({ network }) => network)
  assert.notEqual(ofAnn, ofBen)
  assert.deepEqual(later, [ofAnn, ofBen, ofAnn])
  // Each new header reaches Fastify: Ann has sent two, and Ben one.
  assert.equal(counts.fastify, 3)
})

test('warns of an ignored forwarding header though the answer is in memory', async (t) => {
  const { ask, captured } = await serve(t)
  await ask()
  await ask({ 'x-forwarded-for': '198.51.100.1' })
  assert.match(captured.text(), /TRUST_PROXY is not set/)
})

test('a closing server refuses even what it has in memory', async (t) => {
  const { app, ask, whileClosing } = await serve(t)
  const statuses = [(await ask()).status]
  whileClosing.run = async () => void statuses.push((await ask()).status)
  await app.close()
  assert.deepEqual(statuses, [200, 503])
})

test('a client that pipelines gets every reply up to the limit; beyond it, its connection is closed', async (t) => {
  const { app, port, ask, servedFromMemory } = await serve(t, { connections: { maxPipelined: 4 } })
  await ask()
  const request = 'GET /board HTTP/1.1\r\nHost: localhost:3000\r\n'
  const send = async (count: number) => {
    const connected = once(app.server, 'connection') as Promise<[Socket]>
    const client = connect(port, '127.0.0.1')
    t.after(() => client.destroy())
    client.on('error', () => {})
    const [peer] = await connected
    client.write(`${request}\r\n`.repeat(count - 1) + `${request}Connection: close\r\n\r\n`)
    return { client, peer }
  }
  const { client } = await send(4)
  const received = Buffer.concat(await client.toArray()).toString('latin1')
  assert.equal(received.split('HTTP/1.1 200 OK').length - 1, 4)
  const servedBefore = servedFromMemory.length
  const { peer } = await send(1_000)
  await once(peer, 'close')
  assert.ok(servedFromMemory.length - servedBefore <= 4, `${servedFromMemory.length} were served`)
})
