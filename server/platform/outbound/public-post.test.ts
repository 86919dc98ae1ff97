import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { test, type TestContext } from 'node:test'
import { deadAddress, serveStub } from '#server/testing/fakes/http-stub.ts'
import { createPublicPost, problemOf } from './public-post.ts'

/** @returns the port. */
async function listen(t: TestContext, server: Server): Promise<number> {
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

const MESSAGE = { headers: { 'x-own': 'yes' }, body: '{"a":"é"}' }

test('sends headers and body, and returns the status and the start of the answer', async (t) => {
  const base = await serveStub(t, async (request, response) => {
    const { method, url, headers } = request
    const body = Buffer.concat(await request.toArray()).toString()
    response.statusCode = 201
    response.end(
      `${method} ${url} ${String(headers['x-own'])} ${headers['content-length']} ${body} ${'x'.repeat(9_000)}`,
    )
  })
  const post = createPublicPost({ allowLoopback: true, maxBytes: 60 })
  const posted = await post(`${base}/hook?a=b`, MESSAGE)
  assert.ok('status' in posted)
  assert.equal(posted.status, 201)
  assert.match(posted.text, /^POST \/hook\?a=b yes 10 \{"a":"é"\} x+$/)
  assert.equal(Buffer.byteLength(posted.text), 60, 'cut off after `maxBytes`')
  assert.ok(Number.isInteger(posted.latencyMs))
})

test('does not follow redirects', async (t) => {
  let asked = 0
  const target = await serveStub(t, (_request, response) => {
    asked += 1
    response.end()
  })
  const base = await serveStub(t, (_request, response) => response.writeHead(307, { location: target }).end())
  const posted = await createPublicPost({ allowLoopback: true })(base, MESSAGE)
  assert.equal('status' in posted && posted.status, 307)
  assert.equal(asked, 0)
})

/** Why no message can be sent to a host name with these addresses. */
const failureFor = async (...addresses: string[]) => {
  const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  const post = createPublicPost({ allowLoopback: false, timeoutMs: 50, resolve })
  const posted = await post('https://receiver.example/', MESSAGE)
  return 'failure' in posted ? posted.failure : `status ${posted.status}`
}

const PRIVATE = 'leads to an address that is not public'

const NOT_PUBLIC = [
  '127.0.0.1',
  '127.8.8.8',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '198.18.0.1',
  '192.0.2.1',
  '::1',
  '::',
  'fe80::1',
  'fc00::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:db8::1',
]

test('refuses a name if any of its addresses is not public', async () => {
  for (const address of NOT_PUBLIC) {
    assert.equal(await failureFor(address), PRIVATE, address)
    assert.equal(await failureFor('93.184.215.14', address), PRIVATE, address)
  }
})

test('refuses a URL with an address that is not public, in any spelling', async () => {
  const literals = NOT_PUBLIC.map((address) => (address.includes(':') ? `[${address}]` : address))
  for (const host of [...literals, '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::ffff:7f00:1]'])
    assert.equal(problemOf(`https://${host}/`, { allowLoopback: false }), PRIVATE, host)
})

test('allows loopback in development only, and plain http to nothing else', () => {
  const local = ['http://127.0.0.1:9/x', 'http://localhost:9', 'http://[::1]:9/', 'https://127.0.0.1/']
  for (const url of local) {
    assert.equal(problemOf(url, { allowLoopback: true }), undefined, url)
    assert.ok(problemOf(url, { allowLoopback: false }), url)
  }
  for (const url of [
    'http://receiver.example',
    'http://10.0.0.1',
    'http://localhost.example',
    'https://user:word@receiver.example',
    'ftp://receiver.example',
    'file:///etc/passwd',
    'receiver.example',
    '',
  ])
    for (const allowLoopback of [false, true]) assert.ok(problemOf(url, { allowLoopback }), url)
  assert.ok(problemOf('https://10.0.0.1', { allowLoopback: true }))
  assert.equal(problemOf('https://receiver.example/hook', { allowLoopback: false }), undefined)
})

test('connects to the address that was checked: a name is resolved once', async (t) => {
  let asked = 0
  const base = await serveStub(t, (request, response) => {
    asked += 1
    response.end(request.headers.host)
  })
  let resolved = 0
  const post = createPublicPost({
    allowLoopback: true,
    resolve: async () => {
      resolved += 1
      return [{ address: resolved === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]
    },
  })
  const url = base.replace('127.0.0.1', 'localhost')
  const posted = await post(url, MESSAGE)
  assert.equal('text' in posted && posted.text, new URL(url).host)
  assert.deepEqual([asked, resolved], [1, 1])
  const rebound = await post(url, MESSAGE)
  assert.equal('failure' in rebound && rebound.failure, PRIVATE)
  assert.deepEqual([asked, resolved], [1, 2])
})

test('connects to the address that was checked even over TLS', async (t) => {
  const server = createTcpServer((socket) => socket.destroy())
  const connected = once(server, 'connection')
  const port = await listen(t, server)
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const post = createPublicPost({ allowLoopback: true, resolve })
  assert.ok('failure' in (await post(`https://receiver.invalid:${port}/`, MESSAGE)))
  await connected
})

test('gives up on a receiver that does not answer or never ends its answer', async (t) => {
  const silent = await serveStub(t, () => {})
  const endless = await serveStub(t, (_request, response) => response.write('x'))
  for (const base of [silent, endless]) {
    const posted = await createPublicPost({ allowLoopback: true, timeoutMs: 200 })(base, MESSAGE)
    assert.equal('failure' in posted && posted.failure, 'did not answer within 0.2 s')
  }
})

test('neither sends nor resolves anything once the caller has given up', async (t) => {
  const base = await serveStub(t, () => assert.fail('was sent'))
  const aborted = AbortSignal.abort()
  const sent = await createPublicPost({ allowLoopback: true })(base, MESSAGE, aborted)
  assert.equal('failure' in sent && sent.failure, 'failed with ABORT_ERR', 'the error’s code')
  const post = createPublicPost({ allowLoopback: false, resolve: () => assert.fail('was resolved') })
  const resolved = await post('https://receiver.example/', MESSAGE, aborted)
  assert.equal('failure' in resolved && resolved.failure, 'failed with AbortError', 'it has no textual code')
})

test('returns the status of a receiver that switches protocols, and closes the connection', async (t) => {
  const closed = Promise.withResolvers<void>()
  const server = createTcpServer((socket) => {
    socket.on('error', () => {}).on('close', () => closed.resolve())
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n'),
    )
  })
  const port = await listen(t, server)
  const posted = await createPublicPost({ allowLoopback: true })(`http://127.0.0.1:${port}`, MESSAGE)
  assert.equal('status' in posted && posted.status, 101)
  await closed.promise
})

test('says what failed without the URL', async (t) => {
  const dead = await deadAddress(t)
  const noHttp = createServer().on('connection', (socket) => socket.end('nonsense\r\n\r\n'))
  const port = await listen(t, noHttp)
  const post = createPublicPost({ allowLoopback: true })
  const failures = []
  for (const base of [dead, `http://127.0.0.1:${port}`]) {
    const posted = await post(`${base}/token-in-the-path`, MESSAGE)
    failures.push('failure' in posted ? posted.failure : posted.status)
  }
  assert.deepEqual(failures, ['failed with ECONNREFUSED', 'failed with HPE_INVALID_CONSTANT'])
  const unknown = createPublicPost({
    allowLoopback: false,
    resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
  })
  const posted = await unknown('https://receiver.example/token', MESSAGE)
  assert.equal('failure' in posted && posted.failure, 'has a host name that could not be resolved')
})
