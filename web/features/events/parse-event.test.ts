import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseEvent } from './parse-event.ts'

test('parses the event of each topic', () => {
  assert.deepEqual(parseEvent('heartbeat', '{"block":7}'), { block: 7 })
  assert.deepEqual(parseEvent('heartbeat', '{"block":null}'), { block: null })
  assert.deepEqual(parseEvent('slots', '{"total":10,"left":0,"isPaused":false}'), {
    total: 10,
    left: 0,
    isPaused: false,
  })
  assert.deepEqual(parseEvent('leaderboard', '{"version":3}'), { version: 3 })
})

test('returns undefined for malformed data instead of throwing', () => {
  const malformed = ['', '<html>', 'null', '7', '"block"', '[]', '{}', '{"block":"7"}', '{"block":-1}']
  for (const data of malformed) assert.equal(parseEvent('heartbeat', data), undefined, data)
  for (const data of ['null', '{"total":1}', '{"total":null,"left":null}', '{"total":1,"left":1}'])
    assert.equal(parseEvent('slots', data), undefined, data)
})
