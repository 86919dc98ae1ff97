import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBoundedCache } from './bounded-cache.ts'

/** Each value is its own weight. */
const cacheOf = ({ maxEntries = 100, maxWeight = Infinity }) =>
  createBoundedCache<number>({ maxEntries, maxWeight, weigh: (value) => value })

test('any number of keys that are never read does not evict keys that were read', () => {
  const cache = cacheOf({ maxEntries: 10 })
  for (const key of ['a', 'b', 'c']) cache.set(key, 1)
  for (const key of ['a', 'b', 'c']) assert.equal(cache.get(key), 1)
  for (let index = 0; index < 1_000; index += 1) cache.set(`made up ${index}`, 1)
  for (const key of ['a', 'b', 'c']) assert.equal(cache.get(key), 1, key)
  const kept = Array.from({ length: 1_000 }, (_, index) => cache.get(`made up ${index}`)).filter(Boolean)
  assert.equal(kept.length, 10 - 3)
})

test('among keys that were read, one that was not read lately is evicted first', () => {
  const cache = cacheOf({ maxEntries: 10 })
  for (let key = 0; key < 100; key += 1) {
    cache.set(String(key), 1)
    cache.get(String(key))
    assert.equal(cache.get('0'), 1, `after ${key}`)
  }
  assert.equal(cache.get('1'), undefined)
  assert.equal(cache.get('99'), 1)
})

test('the sum of the weights is limited, and a value that alone weighs more is not kept', () => {
  const cache = cacheOf({ maxWeight: 10 })
  for (let key = 0; key < 20; key += 1) cache.set(String(key), 3)
  const kept = Array.from({ length: 20 }, (_, key) => cache.get(String(key))).filter(Boolean)
  assert.equal(kept.length, 3, 'three of weight 3 fit in 10')
  cache.set('huge', 11)
  assert.equal(cache.get('huge'), undefined)
})

test('setting a key again replaces its value and its weight', () => {
  const cache = cacheOf({ maxWeight: 10 })
  for (let round = 0; round < 5; round += 1) {
    cache.set('a', 8)
    assert.equal(cache.get('a'), 8)
  }
  cache.set('a', 1)
  cache.set('b', 9)
  assert.deepEqual([cache.get('a'), cache.get('b')], [1, 9])
})
