import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { test, type TestContext } from 'node:test'
import { createHttpClient } from '#server/platform/outbound/http-client.ts'
import { deadAddress, serveStub } from '#server/testing/fakes/http-stub.ts'
import { jsonRpcNode } from '#server/testing/fakes/json-rpc.ts'
import { createBlockReader, watchChain } from './heartbeat.ts'
import { createChainRpc } from './rpc.ts'

/** A node of PulseChain with this newest block. @param asked collects the methods of its calls. */
const node = (block: unknown, asked: string[] = []) =>
  jsonRpcNode((method) => {
    asked.push(method)
    return { result: method === 'eth_chainId' ? '0x171' : block }
  })

/** @param timeoutMs ample for a node that answers. */
const readerAt = (url: string, timeoutMs = 20_000) =>
  createBlockReader(createChainRpc(createHttpClient({ allow: [url], timeoutMs }), url, 369))

const readerOf = async (t: TestContext, listener: RequestListener, timeoutMs?: number) =>
  readerAt(await serveStub(t, listener), timeoutMs)

test('requests the newest block of the right chain', async (t) => {
  const asked: string[] = []
  const read = await readerOf(t, node('0x172', asked))
  assert.equal(await read(), 370)
  assert.deepEqual(asked, ['eth_chainId', 'eth_blockNumber'])
  const foreign = jsonRpcNode(() => ({ result: '0x1' }))
  assert.equal(await (await readerOf(t, foreign))(), undefined, 'a node of another chain')
})

test('returns undefined for anything but a block number', async (t) => {
  for (const result of [null, 5, '5', '0x', '0xzz', '0x1' + '0'.repeat(20), '-0x1', { a: 1 }])
    assert.equal(await (await readerOf(t, node(result)))(), undefined, JSON.stringify(result))
  const faults: RequestListener[] = [
    jsonRpcNode(() => ({ error: { code: -32005, message: 'limit exceeded' } })),
    (_request, response) => void response.end('<html>'),
    (_request, response) => void response.writeHead(503).end('{}'),
  ]
  for (const fault of faults) assert.equal(await (await readerOf(t, fault))(), undefined)
  assert.equal(await (await readerOf(t, () => {}, 100))(), undefined, 'a node that hangs')
  assert.equal(await readerAt(await deadAddress(t))(), undefined, 'a node that is down')
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

test('publishes nothing once stopped, not even the answer to a pending request', async () => {
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
