import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { deadAddress, serveStub } from '#server/testing/fakes/http-stub.ts'
import { until } from '#server/testing/until.ts'
import { createHttpClient } from './http-client.ts'

test('sends a body as JSON or as a form, and parses the JSON of the answer', async (t) => {
  const base = await serveStub(t, async (request, response) => {
    const { 'content-type': type, authorization } = request.headers
    const body = Buffer.concat(await request.toArray()).toString()
    response.end(JSON.stringify({ method: request.method, type, authorization, body }))
  })
  const { request } = createHttpClient({ allow: [`${base}/rpc`] })
  assert.deepEqual(await request(`${base}/rpc`), { answer: { method: 'GET', body: '' } })
  assert.deepEqual(await request(`${base}/rpc/x`, { method: 'POST', body: { a: 1 } }), {
    answer: { method: 'POST', type: 'application/json', body: '{"a":1}' },
  })
  const form = { grant_type: 'authorization_code', code: 'a b&c=d+é' }
  assert.deepEqual(await request(`${base}/rpc`, { method: 'POST', form, authorization: 'Basic QTpC' }), {
    answer: {
      method: 'POST',
      type: 'application/x-www-form-urlencoded;charset=UTF-8',
      authorization: 'Basic QTpC',
      body: 'grant_type=authorization_code&code=a+b%26c%3Dd%2B%C3%A9',
    },
  })
})

test('rejects URLs outside the configured base URLs', async (t) => {
  let asked = 0
  const base = await serveStub(t, (_request, response) => {
    asked += 1
    response.end('{}')
  })
  const { request } = createHttpClient({ allow: [`${base}/v1`] })
  const outside = [
    `${base}/v10`,
    `${base}/`,
    `${base}/v1/../secret`,
    `${base}/v1/%2e%2e/secret`,
    base.replace('127.0.0.1', 'localhost') + '/v1',
    base.replace('http://', 'http://user:word@') + '/v1',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'not an address',
  ]
  for (const address of outside)
    assert.deepEqual(await request(address), { unclear: 'not an allowed address' }, address)
  assert.equal(asked, 0)
})

test('does not follow a redirect', async (t) => {
  let wasReached = false
  const elsewhere = await serveStub(t, (_request, response) => {
    wasReached = true
    response.end('{"stolen":true}')
  })
  const base = await serveStub(t, (_request, response) => {
    response.writeHead(302, { location: `${elsewhere}/internal` }).end()
  })
  const outbound = createHttpClient({ allow: [base, elsewhere] })
  assert.deepEqual(await outbound.request(base), { unclear: 'answered 302, a redirect that is not followed' })
  assert.ok(!wasReached)
})

const MIB = 1024 ** 2

test('aborts an endless reply at the size limit', async (t) => {
  let sent = 0
  const closed = Promise.withResolvers<void>()
  const base = await serveStub(t, async (_request, response) => {
    response.on('close', closed.resolve)
    const block = Buffer.alloc(64 * 1024, 'x')
    while (!response.destroyed && sent < 1024 * MIB) {
      sent += block.length
      if (!response.write(block)) await Promise.race([once(response, 'drain'), closed.promise])
    }
  })
  const outbound = createHttpClient({ allow: [base], maxBytes: 1000 })
  assert.deepEqual(await outbound.request(base), { unclear: 'answered more than 1000 bytes' })
  await closed.promise
  // The server could only fill the sockets' buffers, which hold far less than the whole reply.
  assert.ok(sent < 64 * MIB, `${sent} bytes were sent`)
})

test('limits a compressed reply by its decompressed size', async (t) => {
  const packed = gzipSync(`"${'x'.repeat(1_000_000)}"`)
  const base = await serveStub(t, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
  })
  assert.ok(packed.length < 10_000)
  const outbound = createHttpClient({ allow: [base], maxBytes: 10_000 })
  assert.deepEqual(await outbound.request(base), { unclear: 'answered more than 10000 bytes' })
})

test('times out when there is no reply or a reply that trickles', async (t) => {
  const base = await serveStub(t, (request, response) => {
    if (request.url === '/silent') return
    const drip = setInterval(() => response.write(' '), 10)
    response.on('close', () => clearInterval(drip))
  })
  const outbound = createHttpClient({ allow: [base], timeoutMs: 150 })
  assert.deepEqual(await outbound.request(`${base}/silent`), { unclear: 'took too long' })
  assert.deepEqual(await outbound.request(`${base}/drip`), { unclear: 'took too long' })
})

test('distinguishes a definite no from a failure, and never throws', async (t) => {
  const base = await serveStub(t, (request, response) => {
    const status = Number(request.url?.slice(1))
    response.writeHead(status).end(status === 200 ? '<html>' : '{}')
  })
  const { request } = createHttpClient({ allow: [base] })
  for (const status of [404, 403]) assert.deepEqual(await request(`${base}/${status}`), { refused: status })
  for (const status of [429, 408, 500])
    assert.deepEqual(await request(`${base}/${status}`), { unclear: `answered ${status}` })
  assert.deepEqual(await request(`${base}/200`), { unclear: 'did not answer with JSON' })
  const dead = await deadAddress(t)
  const unreachable = await createHttpClient({ allow: [dead] }).request(dead)
  assert.deepEqual(unreachable, { unclear: 'failed with ECONNREFUSED' })
})

test('returns the raw reply whatever its status', async (t) => {
  const base = await serveStub(t, (request, response) => {
    const status = Number(request.url?.slice(1))
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' }).end('{"a":1}')
  })
  const { requestWithReply } = createHttpClient({ allow: [base], maxBytes: 100 })
  const reply = { type: 'application/json', text: '{"a":1}', retryAfter: 7 }
  const expected = { 200: { answer: { a: 1 } }, 404: { refused: 404 }, 429: { unclear: 'answered 429' } }
  for (const [status, outcome] of Object.entries(expected))
    assert.deepEqual(await requestWithReply(`${base}/${status}`), {
      outcome,
      reply: { ...reply, status: Number(status) },
    })
  const small = createHttpClient({ allow: [base], maxBytes: 3 })
  assert.deepEqual(await small.requestWithReply(`${base}/404`), {
    outcome: { refused: 404 },
    // Its text was too long.
    reply: { ...reply, status: 404, text: undefined },
  })
  assert.deepEqual(await requestWithReply('https://elsewhere.example/'), {
    outcome: { unclear: 'not an allowed address' },
  })
})

test('five failures in a row pause a service for 30 s, until a trial request succeeds; others at its host are unaffected', async (t) => {
  const failing = { status: 503, requests: 0 }
  const host = await serveStub(t, (request, response) => {
    if (request.url === '/healthy') return void response.end('{}')
    failing.requests += 1
    response.writeHead(failing.status).end('{}')
  })
  const [base, healthy] = [`${host}/failing`, `${host}/healthy`]
  const clock = { ms: 0 }
  const { request } = createHttpClient({ allow: [base, healthy], now: () => clock.ms })
  const failed = { unclear: 'answered 503' }
  const paused = { unclear: 'paused after repeated failures' }
  for (let failure = 0; failure < 5; failure += 1) assert.deepEqual(await request(base), failed)
  clock.ms = 29_999
  assert.deepEqual(await request(base), paused)
  assert.deepEqual(await request(healthy), { answer: {} })

  clock.ms = 30_000
  assert.deepEqual(await Promise.all([request(base), request(base)]), [failed, paused])
  failing.status = 200
  clock.ms = 59_999
  assert.deepEqual(await request(base), paused)
  clock.ms = 60_000
  assert.deepEqual(await request(base), { answer: {} })
  assert.deepEqual(await request(base), { answer: {} })
  assert.equal(failing.requests, 5 + 3, 'five failures, two trials and one request after them')
})

test('replies that are too large do not open the circuit breaker', async (t) => {
  const base = await serveStub(t, (request, response) => {
    response.end(request.url === '/large' ? JSON.stringify('x'.repeat(1_000)) : '{}')
  })
  const { request } = createHttpClient({ allow: [base], maxBytes: 100 })
  for (let count = 0; count < 6; count += 1)
    assert.deepEqual(await request(`${base}/large`), { unclear: 'answered more than 100 bytes' })
  assert.deepEqual(await request(`${base}/small`), { answer: {} })
})

test('sends at most four requests to a service at once', async (t) => {
  const waiting: ServerResponse[] = []
  const base = await serveStub(t, (request, response) => {
    if (request.url === '/later') response.end()
    else waiting.push(response)
  })
  const { request } = createHttpClient({ allow: [base], timeoutMs: 20_000 })
  const calls = Array.from({ length: 5 }, () => request(base))
  await until('four requests have arrived', () => waiting.length >= 4)
  // A fifth request, sent with the others, would have arrived before this one.
  await fetch(`${base}/later`)
  assert.equal(waiting.length, 4)
  waiting.shift()?.end('{}')
  await until('the fifth has arrived', () => waiting.length === 4)
  for (const response of waiting) response.end('{}')
  for (const call of calls) assert.deepEqual(await call, { answer: {} })
})

test('a request that waits too long for its turn fails without being sent', async (t) => {
  const expiries: AbortController[] = []
  t.mock.method(AbortSignal, 'timeout', () => {
    expiries.push(new AbortController())
    return expiries.at(-1)?.signal
  })
  const arrived = Promise.withResolvers<ServerResponse>()
  let received = 0
  const base = await serveStub(t, (_request, response) => {
    received += 1
    arrived.resolve(response)
  })
  const { request } = createHttpClient({ allow: [base], concurrency: 1 })
  const first = request(base)
  const response = await arrived.promise
  const second = request(base)
  expiries[1]?.abort(new DOMException('The operation timed out.', 'TimeoutError')) // The second's.
  assert.deepEqual(await second, { unclear: 'took too long' })
  response.end('{}')
  assert.deepEqual(await first, { answer: {} })
  assert.equal(received, 1)
})
