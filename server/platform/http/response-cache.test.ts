import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createResponseCache } from './response-cache.ts'

/** A cache with a mocked clock; values count the calls of `make`. */
function countingCache(limits: { keepFor?: number; maxEntries?: number } = {}) {
  const clock = { ms: 0 }
  let calls = 0
  const cache = createResponseCache<number>({ keepFor: 1_000, now: () => clock.ms, ...limits })
  const get = (key = 'board') => cache.get(key, async () => (calls += 1))
  return { clock, cache, get }
}

test('shares a value in progress and caches it for its lifetime, by key', async () => {
  const { clock, get } = countingCache()
  assert.deepEqual(await Promise.all([get(), get(), get('prices')]), [1, 1, 2])
  clock.ms = 999
  assert.equal(await get(), 1)
  clock.ms = 1_000
  assert.deepEqual(await Promise.all([get(), get()]), [3, 3])
})

test('shares a value that takes longer than its lifetime, then loads it again', async () => {
  const { clock, cache, get } = countingCache()
  const slow = Promise.withResolvers<number>()
  const first = cache.get('board', () => slow.promise)
  clock.ms = 5_000
  const second = get()
  slow.resolve(7)
  assert.deepEqual(await Promise.all([first, second]), [7, 7])
  assert.equal(await get(), 1)
})

test('rejects all waiting calls on failure and does not cache it', async () => {
  const { cache, get } = countingCache()
  const fail = () => cache.get('board', () => Promise.reject(new Error('away')))
  const both = await Promise.allSettled([fail(), get()])
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await get(), 1)
})

test('neither shares nor caches a value that was cleared while in progress', async () => {
  const { cache, get } = countingCache()
  const slow = Promise.withResolvers<number>()
  const old = cache.get('board', () => slow.promise)
  cache.clear()
  assert.equal(await get(), 1)
  slow.resolve(7)
  assert.equal(await old, 7)
  assert.equal(await get(), 1)
})

test('a failure after a clear does not evict the newer value', async () => {
  const { cache, get } = countingCache()
  const slow = Promise.withResolvers<number>()
  const old = cache.get('board', () => slow.promise)
  cache.clear()
  await get()
  slow.reject(new Error('away'))
  await assert.rejects(old)
  assert.equal(await get(), 1)
})

test('evicts the oldest entry beyond the limit', async () => {
  const { get } = countingCache({ maxEntries: 2 })
  for (const key of ['a', 'b', 'c']) await get(key)
  assert.deepEqual([await get('b'), await get('c'), await get('a')], [2, 3, 4])
})
