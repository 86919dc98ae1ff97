import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { test, type TestContext } from 'node:test'
import { createHttpClient } from '#server/platform/http-client.ts'
import { deadAddress, serveStub } from '#server/testing/fakes/http-stub.ts'
import { createChainClient } from './client.ts'
import { watchChain } from './heartbeat.ts'

const answer =
  (result: unknown): RequestListener =>
  (_request, response) =>
    void response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))

/** @param timeout milliseconds: ample for a node that answers. */
async function chain(t: TestContext, listener: RequestListener, timeout = 20_000) {
  const url = await serveStub(t, listener)
  return createChainClient(createHttpClient({ allow: [url], timeout }), url)
}

test('requests the newest block by JSON-RPC', async (t) => {
  const bodies: unknown[] = []
  const read = await chain(t, async (request, response) => {
    const chunks: Buffer[] = await request.toArray()
    bodies.push(JSON.parse(Buffer.concat(chunks).toString()))
    answer('0x171')(request, response)
  })
  assert.equal(await read(), 369)
  assert.deepEqual(bodies, [{ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }])
})

test('returns undefined for anything but a block number', async (t) => {
  for (const result of [null, 5, '5', '0x', '0xzz', '0x1' + '0'.repeat(20), '-0x1', { a: 1 }]) {
    assert.equal(await (await chain(t, answer(result)))(), undefined, JSON.stringify(result))
  }
  const faults: RequestListener[] = [
    (_request, response) => void response.end('{"jsonrpc":"2.0","id":1,"error":{"code":-32005}}'),
    (_request, response) => void response.end('<html>'),
    (_request, response) => void response.writeHead(503).end('{}'),
  ]
  for (const fault of faults) assert.equal(await (await chain(t, fault))(), undefined)
  assert.equal(await (await chain(t, () => {}, 100))(), undefined, 'a node that hangs')
  const dead = await deadAddress(t)
  assert.equal(await createChainClient(createHttpClient({ allow: [dead] }), dead)(), undefined)
})

test('ignores a node slightly behind, but follows a chain that was reset', async () => {
  const readings = [100, 101, 99, undefined, 101, 102, 3]
  const published: (number | null)[] = []
  const done = Promise.withResolvers<void>()
  const read = () => Promise.resolve(readings.shift())
  const stop = watchChain(
    read,
    ({ block }) => {
      published.push(block)
      if (readings.length === 0) done.resolve()
    },
    { intervalMs: 1 },
  )
  await done.promise
  stop()
  assert.deepEqual(published, [100, 101, 101, null, 101, 102, 3])
})

test('publishes nothing once stopped, not even a pending request', async () => {
  const reading = Promise.withResolvers<number>()
  const requested = Promise.withResolvers<void>()
  let published = 0
  const stop = watchChain(
    () => {
      requested.resolve()
      return reading.promise
    },
    () => (published += 1),
    { intervalMs: 1 },
  )
  await requested.promise
  stop()
  reading.resolve(7)
  await reading.promise
  await new Promise(setImmediate)
  assert.equal(published, 0)
})
