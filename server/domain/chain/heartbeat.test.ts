import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RpcCall } from '#contract/token-proofs/rpc.ts'
import { createBlockReader, watchChain } from './heartbeat.ts'

test('reads the number of the newest block, and nothing from anything else', async () => {
  const asked: RpcCall[] = []
  const read = createBlockReader(async (calls) => {
    asked.push(...calls)
    return [{ result: '0x172' }]
  })
  assert.equal(await read(), 370)
  assert.deepEqual(asked, [{ method: 'eth_blockNumber', params: [] }])
  for (const result of [null, 5, '5', '0x', '0xzz', '0x1' + '0'.repeat(20), '-0x1', { a: 1 }])
    assert.equal(await createBlockReader(async () => [{ result }])(), undefined, JSON.stringify(result))
  assert.equal(await createBlockReader(async () => [{ failure: { kind: 'garbage' } }])(), undefined)
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
