import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import type { InjectOptions } from 'fastify'
import { bareApp } from '../../testing/bare-app.ts'
import { logLines } from '../../testing/checks/log-lines.ts'
import { isUnavailable } from '../database/database.ts'
import { networkOf } from '../limits/network.ts'
import type { HttpOptions } from './server.ts'

const HOST = { host: 'localhost:3000' }

function echo(t: TestContext, options: Partial<HttpOptions> = {}) {
  const app = bareApp(t, options)
  app.get('/healthz', async () => 'ok')
  app.get('/ip', async (request) => networkOf(request.ip))
  app.post('/echo', async (request) => ({ got: typeof request.body }))
  app.get('/broken', async () => {
    throw new Error('select secret from /etc/passwd')
  })
  const ask = async (request: InjectOptions) => {
    const { statusCode, headers, payload } = await app.inject({ headers: HOST, ...request })
    return { status: statusCode, headers, payload, code: codeIn(payload) }
  }
  return { app, ask }
}

const codeIn = (payload: string): unknown =>
  payload.startsWith('{') ? (JSON.parse(payload) as { code?: unknown }).code : undefined

const post = (payload: string | Buffer, headers: Record<string, string> = {}): InjectOptions => ({
  method: 'POST',
  url: '/echo',
  headers: { ...HOST, 'content-type': 'application/json', ...headers },
  payload,
})

const HOSTS: [what: string, config: { isProduction: boolean }, host: string, status: number][] = [
  ['its own name', { isProduction: true }, 'site.example', 200],
  ['its own name in capitals', { isProduction: true }, 'SITE.example', 200],
  ['its own name with the port of its scheme', { isProduction: true }, 'site.example:443', 200],
  ['another name', { isProduction: true }, 'evil.example', 400],
  ['its own name with another port', { isProduction: true }, 'site.example:8443', 400],
  ['a name that begins like its own', { isProduction: true }, 'site.example.evil.example', 400],
  ['its own name behind a user', { isProduction: true }, 'evil.example@site.example', 400],
  ['no name', { isProduction: true }, '', 400],
  ['localhost in production', { isProduction: true }, 'localhost', 400],
  ['an address in production', { isProduction: true }, '203.0.113.7', 400],
  ['localhost with any port', { isProduction: false }, 'localhost:8080', 200],
  ['a name below localhost', { isProduction: false }, 'site.localhost', 200],
  ['a literal IPv4 address', { isProduction: false }, '192.168.1.5:3000', 200],
  ['a literal IPv6 address', { isProduction: false }, '[::1]:3000', 200],
  ['another name in development', { isProduction: false }, 'evil.example', 400],
  ['a name that begins like localhost', { isProduction: false }, 'localhost.evil.example', 400],
]
for (const [what, { isProduction }, host, status] of HOSTS) {
  test(`${status === 200 ? 'serves' : 'refuses'} under ${what}`, async (t) => {
    const { ask } = echo(t, { isProduction, publicUrl: 'https://site.example' })
    const answer = await ask({ url: '/ip', headers: { host } })
    assert.equal(answer.status, status)
    if (status === 400) assert.equal(answer.code, 'unknown_host')
  })
}

test('answers a health check under any host name', async (t) => {
  const { ask } = echo(t, { isProduction: true, publicUrl: 'https://site.example' })
  assert.equal((await ask({ url: '/healthz', headers: { host: '10.0.0.3:3000' } })).status, 200)
})

test('ignores forwarded hosts, even from a trusted proxy', async (t) => {
  const { ask } = echo(t, { isProduction: true, publicUrl: 'https://site.example', trustProxy: ['loopback'] })
  const forwarded = { 'x-forwarded-host': 'site.example', forwarded: 'host=site.example' }
  assert.equal((await ask({ url: '/ip', headers: { host: 'evil.example', ...forwarded } })).status, 400)
})

const ORIGINS: [headers: Record<string, string>, status: number][] = [
  [{}, 200],
  [{ origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }, 200],
  [{ 'sec-fetch-site': 'none' }, 200],
  [{ origin: 'http://site.localhost', host: 'SITE.localhost:80' }, 200],
  [{ origin: 'file://' }, 403],
  [{ origin: 'http://evil.example' }, 403],
  [{ origin: 'http://localhost:4000' }, 403],
  [{ origin: 'null' }, 403],
  [{ origin: '' }, 403],
  [{ origin: 'http://localhost:3000.evil.example' }, 403],
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' }, 403],
  [{ origin: 'http://other.localhost:3000', 'sec-fetch-site': 'same-site' }, 403],
]
for (const [headers, status] of ORIGINS) {
  test(`answers a write with ${status} for ${JSON.stringify(headers)}`, async (t) => {
    const { ask } = echo(t)
    const answer = await ask(post('{}', headers))
    assert.equal(answer.status, status)
    if (status === 403) assert.equal(answer.code, 'foreign_origin')
  })
}

test('allows cross-site reads', async (t) => {
  const { ask } = echo(t)
  const headers = { ...HOST, origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }
  assert.equal((await ask({ url: '/ip', headers })).status, 200)
})

const typed = (payload: string, type: string) => post(payload, { 'content-type': type })
const WRONG_TYPE = 'unsupported_media_type'
const BAD_JSON = 'malformed_json'
const BODIES: [what: string, request: InjectOptions, status: number, code?: string][] = [
  ['JSON with a charset', typed('{"a":1}', 'application/json; charset=utf-8'), 200],
  ['no body at all', { method: 'POST', url: '/echo' }, 200],
  ['an empty JSON body', post(''), 200],
  ['a form', typed('a=1', 'application/x-www-form-urlencoded'), 415, WRONG_TYPE],
  ['text', typed('{"a":1}', 'text/plain'), 415, WRONG_TYPE],
  ['several parts', typed('x', 'multipart/form-data; boundary=x'), 415, WRONG_TYPE],
  ['no type', typed('{}', ''), 415, WRONG_TYPE],
  ['broken JSON', post('{"a":'), 400, BAD_JSON],
  ['two values', post('{}{}'), 400, BAD_JSON],
  ['what is not JSON', post('<a/>'), 400, BAD_JSON],
  ['__proto__', post('{"__proto__":{"admin":true}}'), 400, BAD_JSON],
  ['__proto__, escaped', post('{"\\u005f_proto__":{"admin":true}}'), 400, BAD_JSON],
  ['constructor.prototype', post('{"constructor":{"prototype":{"admin":true}}}'), 400, BAD_JSON],
  ['__proto__ far down', post('{"a":[{"b":{"__proto__":1}}]}'), 400, BAD_JSON],
  ['16 KiB', post(JSON.stringify('x'.repeat(16 * 1024 - 2))), 200],
  ['over 16 KiB', post(JSON.stringify('x'.repeat(16 * 1024 - 1))), 413, 'body_too_large'],
  ['a deep nest', post('['.repeat(8_000) + ']'.repeat(8_000)), 200],
]
for (const [what, request, status, code] of BODIES) {
  test(`answers ${status} to ${what}`, async (t) => {
    const answer = await echo(t).ask(request)
    assert.deepEqual([answer.status, answer.code], [status, code])
  })
}

test('an unexpected error reveals only a request id that the log contains', async (t) => {
  const { log, lines } = logLines()
  const { ask } = echo(t, { logger: log })
  const { status, payload } = await ask({ url: '/broken' })
  const body = JSON.parse(payload) as Record<string, string>
  assert.equal(status, 500)
  assert.deepEqual(Object.keys(body).toSorted(), ['code', 'message', 'requestId'])
  assert.equal(body['code'], 'internal')
  assert.equal(body['message'], 'Something went wrong on our side. Please try again.')
  const logged = lines().find(({ err }) => JSON.stringify(err)?.includes('select secret from'))
  assert.equal(logged?.['reqId'], body['requestId'])
})

test('tells an unavailable database from an error of a query', () => {
  assert.equal(isUnavailable(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })), true)
  assert.equal(isUnavailable(new Error('column "x" does not exist')), false)
  assert.equal(isUnavailable(undefined), false)
})

const PROXIED: [what: string, trustProxy: string[], forwarded: string | undefined, network: string][] = [
  ['uses the peer without a trusted proxy', [], '198.51.100.1', '10.0.0.9'],
  ['uses X-Forwarded-For of a trusted proxy', ['10.0.0.0/8'], '198.51.100.1', '198.51.100.1'],
  ['uses the last untrusted address', ['10.0.0.0/8'], '1.1.1.1, 198.51.100.1, 10.0.0.3', '198.51.100.1'],
  ['uses the peer when the proxy is not trusted', ['127.0.0.1'], '198.51.100.1', '10.0.0.9'],
  ['reduces an IPv6 caller to its /64', ['10.0.0.0/8'], '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['treats IPv4-mapped IPv6 as IPv4', ['10.0.0.0/8'], '::ffff:198.51.100.1', '198.51.100.1'],
  ['treats a word as the unknown caller', ['10.0.0.0/8'], 'unknown', 'unknown'],
  ['leaves out the port of an address', ['10.0.0.0/8'], '198.51.100.1:4711', '198.51.100.1'],
]
for (const [what, trustProxy, forwarded, network] of PROXIED) {
  test(what, async (t) => {
    const { ask } = echo(t, { trustProxy })
    const headers = { ...HOST, ...(forwarded ? { 'x-forwarded-for': forwarded } : {}) }
    const { status, payload } = await ask({ url: '/ip', remoteAddress: '10.0.0.9', headers })
    assert.deepEqual([status, payload], [200, network])
  })
}

test('warns once about an ignored forwarding header, without its value', async (t) => {
  const { log, lines, text: logged } = logLines('warn')
  const { ask } = echo(t, { logger: log })
  for (const forwarded of ['198.51.100.1', '198.51.100.2'])
    await ask({ url: '/ip', headers: { ...HOST, 'x-forwarded-for': forwarded } })
  assert.equal(lines().length, 1)
  assert.match(logged(), /TRUST_PROXY is not set/)
  assert.doesNotMatch(logged(), /198\.51\.100/)
})

async function sendBytes(t: TestContext, bytes: string): Promise<string> {
  const { port } = new URL(await echo(t).app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(port), '127.0.0.1')
  socket.end(bytes)
  return text(socket)
}

const BROKEN: [what: string, bytes: string, status: number, code: string][] = [
  [
    'headers above 16 KiB',
    `GET /ip HTTP/1.1\r\nHost: localhost:3000\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  ['what is not HTTP', 'nonsense\r\n\r\n', 400, 'invalid_input'],
  [
    'two lengths',
    'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
    400,
    'invalid_input',
  ],
  [
    'an unknown expectation under another name',
    'GET /ip HTTP/1.1\r\nHost: evil.example\r\nExpect: something\r\nConnection: close\r\n\r\n',
    400,
    'unknown_host',
  ],
  ['a request without Host', 'GET /ip HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'unknown_host'],
  [
    'an asterisk in place of a path',
    'GET *ip HTTP/1.1\r\nHost: localhost:3000\r\nConnection: close\r\n\r\n',
    404,
    'not_found',
  ],
]
for (const [what, bytes, status, code] of BROKEN) {
  test(`answers ${what} with ${status} in the shape and with the headers of every error`, async (t) => {
    const [head = '', body = ''] = (await sendBytes(t, bytes)).split('\r\n\r\n')
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `))
    assert.match(head, /^content-type: application\/json; charset=utf-8$/im)
    assert.match(head, /^x-content-type-options: nosniff$/im)
    assert.match(head, /^referrer-policy: no-referrer$/im)
    assert.match(head, /^cache-control: no-store$/im)
    assert.match(head, /^content-security-policy: default-src 'none'; /im)
    assert.match(head, /^cross-origin-resource-policy: same-origin$/im)
    assert.equal(codeIn(body), code)
  })
}

test('does not reveal the server software', async (t) => {
  const { headers } = await echo(t).ask({ url: '/ip' })
  assert.deepEqual([headers['server'], headers['x-powered-by']], [undefined, undefined])
})
