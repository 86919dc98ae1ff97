import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNews } from './read-news.ts'

test('reads the news of each topic', () => {
  assert.deepEqual(readNews('heartbeat', '{"block":7}'), { block: 7 })
  assert.deepEqual(readNews('heartbeat', '{"block":null}'), { block: null })
  assert.deepEqual(readNews('slots', '{"total":10,"left":0}'), { total: 10, left: 0 })
  assert.deepEqual(readNews('leaderboard', '{"version":3}'), { version: 3 })
})

test('takes whatever is none for “cannot tell”, and throws nothing', () => {
  const strange = ['', '<html>', 'null', '7', '"block"', '[]', '{}', '{"block":"7"}', '{"block":-1}']
  for (const data of strange) assert.equal(readNews('heartbeat', data), undefined, data)
  for (const data of ['null', '{"total":1}', '{"total":null,"left":null}', '{"total":"1","left":{}}'])
    assert.equal(readNews('slots', data), undefined, data)
})
