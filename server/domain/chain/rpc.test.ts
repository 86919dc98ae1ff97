import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createHttpClient, type HttpClientOptions } from '#server/platform/outbound/http-client.ts'
import { serveStub } from '#server/testing/fakes/http-stub.ts'
import { jsonRpcNode } from '#server/testing/fakes/json-rpc.ts'
import { createJsonRpc, forChain, type Post, type RpcReply } from '#contract/token-proofs/rpc.ts'
import { createChainRpc, describeRpcFailure } from './rpc.ts'

type Body = { id: number; method: string; params: unknown[] }
const call = (method: string) => ({ method, params: [method] })
const ok = (json: unknown) => ({ status: 200, text: JSON.stringify(json) })
const echo = ({ id, method }: Body) => ({ jsonrpc: '2.0', id, result: method })
const isBatch = (body: unknown): body is Body[] => Array.isArray(body)

type PostReply = Awaited<ReturnType<Post>>

/** A client whose requests are recorded and answered by `answer`. */
function recorded(answer: (body: unknown) => PostReply) {
  const bodies: unknown[] = []
  const post: Post = async (body) => {
    bodies.push(body)
    return answer(body)
  }
  return { bodies, rpc: createJsonRpc(post) }
}

/** Each call's result, or the kind of its failure. */
const results = (replies: RpcReply[]) =>
  replies.map((reply) => ('result' in reply ? reply.result : reply.failure.kind))

test('sends one call as an object and several as a batch', async () => {
  const { rpc, bodies } = recorded((body) =>
    ok(isBatch(body) ? body.map(echo).toReversed() : echo(body as Body)),
  )
  assert.deepEqual(await rpc([]), [])
  assert.deepEqual(results(await rpc([call('a')])), ['a'])
  assert.deepEqual(results(await rpc([call('a'), call('b'), call('c')])), ['a', 'b', 'c'], 'matched by id')
  assert.deepEqual(bodies, [
    { jsonrpc: '2.0', id: 1, method: 'a', params: ['a'] },
    ['a', 'b', 'c'].map((method, index) => ({ jsonrpc: '2.0', id: index + 1, method, params: [method] })),
  ])
})

test('makes calls one by one after a batch that is refused or not fully answered', async () => {
  const refusals: ((batch: Body[]) => PostReply)[] = [
    () => ok({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'batches are not supported' } }),
    () => ({ status: 400, text: '{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"},"id":null}' }),
    () => ({ status: 413, text: 'too large' }),
    () => ({ status: 405, text: '' }),
    () => ({ failure: { kind: 'too_large' } }),
    () => ok('?'),
    () => ({ status: 200, text: '<html>' }),
    () => ok([]),
    (batch) => ok(batch.slice(1).map(echo)),
    (batch) => ok(batch.map((entry) => ({ ...echo(entry), id: 1 }))),
    (batch) => ok(batch.map((entry) => ({ ...echo(entry), id: entry.id + 7 }))),
    (batch) => ok([...batch.map(echo), ...batch.map(echo)]),
    (batch) => ok(batch.map((entry) => ({ ...echo(entry), id: String(entry.id) }))),
  ]
  for (const [index, refuse] of refusals.entries()) {
    const { rpc, bodies } = recorded((body) => (isBatch(body) ? refuse(body) : ok(echo(body as Body))))
    assert.deepEqual(results(await rpc([call('a'), call('b'), call('c')])), ['a', 'b', 'c'], String(index))
    assert.equal(bodies.length, 4, 'the batch and three single calls')
  }
})

test('makes no single calls after a batch that got no answer', async () => {
  const silences: [string, PostReply][] = [
    ['unreachable', { failure: { kind: 'unreachable', detail: 'took too long' } }],
    ['status', { status: 503, text: 'later' }],
    ['status', { status: 429, text: '{"error":"slow down"}' }],
  ]
  for (const [kind, silence] of silences) {
    const { rpc, bodies } = recorded(() => silence)
    assert.deepEqual(results(await rpc([call('a'), call('b')])), [kind, kind])
    assert.equal(bodies.length, 1)
  }
})

test('stops at the first single call that is refused', async () => {
  const refusing = recorded(() => ({ status: 403, text: '' }))
  assert.deepEqual(results(await refusing.rpc([call('a'), call('b'), call('c')])), Array(3).fill('status'))
  assert.equal(refusing.bodies.length, 2, 'the batch and the first call')
})

const replyTo = async (json: unknown) => (await recorded(() => ok(json)).rpc([call('a')]))[0]

test('keeps an error’s code, short data and 200 characters of its message', async () => {
  const failureOf = async (error: object) =>
    await replyTo({ id: 1, error: { code: 3, message: '', ...error } })
  const failure = { kind: 'error', code: 3, message: '', data: undefined }
  const data = `0x${'ab'.repeat(100)}`
  assert.deepEqual(await failureOf({ data }), { failure: { ...failure, data } })
  assert.deepEqual(await failureOf({ data: `0x${'ab'.repeat(100_000)}` }), { failure })
  assert.deepEqual(await failureOf({ data: { odd: true } }), { failure })
  const message = 'revert'.repeat(1_000)
  assert.deepEqual(await failureOf({ message }), { failure: { ...failure, message: message.slice(0, 200) } })
  assert.deepEqual(await replyTo({ id: 1, error: { code: 3 } }), { failure })
})

test('reports a reply as garbage if it is neither a result nor an error', async () => {
  assert.deepEqual(await replyTo({ id: 1, result: null, error: null }), { result: null })
  const garbage = [
    null,
    1,
    [],
    {},
    { id: 1 },
    { id: 2, result: '0x' },
    { result: '0x' },
    { id: 1, result: '0x', error: 'no' },
    { id: 1, error: { code: '1' } },
  ]
  for (const json of garbage)
    assert.deepEqual(await replyTo(json), { failure: { kind: 'garbage' } }, JSON.stringify(json))
})

test('returns a reply for each call, whatever the node answers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 4 }), fc.nat(5), async (values, count) => {
      const batch = values.map((value, index) => ({ id: index + 1, ...(value as object) }))
      const { rpc } = recorded((body) => ok(isBatch(body) ? batch : (values[0] ?? null)))
      const replies = await rpc(Array.from({ length: count }, () => call('a')))
      assert.equal(replies.length, count)
      for (const reply of replies) assert.ok('failure' in reply || reply.result !== undefined)
    }),
    { seed: 369 },
  )
})

/** Answers a batch whose first call asks for the chain ID. */
const onChain = (chainId: unknown, body: unknown) =>
  ok((body as Body[]).map((entry) => (entry.id === 1 ? { id: 1, result: chainId } : echo(entry))))

test('accepts answers only if the node names the right chain in the same request', async () => {
  const answering = (chainId: unknown) => recorded((body) => onChain(chainId, body))
  const right = answering('0x171') // 369
  assert.deepEqual(results(await forChain(right.rpc, 369)([call('a'), call('b')])), ['a', 'b'])
  assert.equal(right.bodies.length, 1)
  for (const other of ['0x1', '0x0171a', '369', 369, '0x', null, {}, '0x1710'])
    assert.deepEqual(
      await forChain(answering(other).rpc, 369)([call('a'), call('b')]),
      ['a', 'b'].map(() => ({ failure: { kind: 'other_chain', answered: JSON.stringify(other) } })),
    )
  const silent = recorded(() => ({ status: 500, text: '' }))
  assert.deepEqual(results(await forChain(silent.rpc, 369)([call('a')])), ['status'])
})

test('splits a long list into batches, and asks for the chain in each', async () => {
  const calls = Array.from({ length: 120 }, (_, index) => call(`m${index}`))
  const { rpc, bodies } = recorded((body) => onChain(bodies.length === 2 ? '0x1' : '0x171', body))
  // A node of another chain answers the second batch. In each batch of 50, one call asks for the chain.
  const expected = calls.map(({ method }, index) => (index < 49 || index >= 98 ? method : 'other_chain'))
  assert.deepEqual(results(await forChain(rpc, 369)(calls)), expected)
  const firstMethods = bodies.map((body) => (body as Body[])[0]?.method)
  assert.deepEqual(firstMethods, ['eth_chainId', 'eth_chainId', 'eth_chainId'])
})

test('tells how a call failed', async (t) => {
  const url = await serveStub(
    t,
    jsonRpcNode((method) => (method === 'eth_chainId' ? { result: '0x171' } : { result: method })),
  )
  const rpcOf = (options: Partial<HttpClientOptions>) =>
    createChainRpc(createHttpClient({ allow: [url], timeoutMs: 20_000, ...options }), url, 369)
  assert.deepEqual(results(await rpcOf({})([call('a'), call('b')])), ['a', 'b'])
  const failures: [string, Partial<HttpClientOptions>][] = [
    ['not an allowed address', { allow: [] }],
    ['sent an answer that is too large', { maxBytes: 20 }],
    ['took too long', { fetch: () => Promise.reject(new DOMException('', 'TimeoutError')) }],
    ['answered 503', { fetch: () => Promise.resolve(new Response('', { status: 503 })) }],
    ['answered 302', { fetch: () => Promise.resolve(new Response('', { status: 302 })) }],
    ['did not answer with JSON-RPC', { fetch: () => Promise.resolve(new Response('<p>')) }],
  ]
  for (const [expected, options] of failures) {
    const [reply] = await rpcOf(options)([call('a')])
    assert.equal(reply && 'failure' in reply && describeRpcFailure(reply.failure), expected)
  }
})
