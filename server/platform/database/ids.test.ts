import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from './ids.ts'

test('creates unique UUIDv7s that sort in order of creation', () => {
  const ids = Array.from({ length: 20_000 }, () => newId())
  assert.deepEqual(ids, ids.toSorted())
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('ids sort in order of creation even if the clock stands still or is set back', (t) => {
  const now = Date.now()
  t.mock.timers.enable({ apis: ['Date'], now })
  // More than the 4,096 ids that one millisecond has.
  const ids = Array.from({ length: 5_000 }, () => newId())
  t.mock.timers.setTime(now - 60_000)
  ids.push(newId(), newId())
  assert.deepEqual(ids, ids.toSorted())
  assert.equal(new Set(ids).size, ids.length)
})

test('encodes the given time in the id', () => {
  const createdAtMs = Date.UTC(2026, 0, 1)
  const ids = [newId(createdAtMs), newId(createdAtMs)]
  assert.notEqual(ids[0], ids[1])
  for (const id of ids) assert.equal(Number.parseInt(id.replace('-', '').slice(0, 12), 16), createdAtMs)
})
