import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOf } from './rich-text-parts.ts'

test('divides a message at its tags', () => {
  assert.deepEqual(partsOf(''), [])
  assert.deepEqual(partsOf('No tag.'), [{ words: 'No tag.' }])
  assert.deepEqual(partsOf('<a>All</a>'), [{ tag: 'a', words: 'All' }])
  assert.deepEqual(partsOf('By <rules>the\nrules</rules> and <terms>terms</terms>.'), [
    { words: 'By ' },
    { tag: 'rules', words: 'the\nrules' },
    { words: ' and ' },
    { tag: 'terms', words: 'terms' },
    { words: '.' },
  ])
  assert.deepEqual(partsOf('<a>1</a><a>2</a>'), [
    { tag: 'a', words: '1' },
    { tag: 'a', words: '2' },
  ])
  assert.deepEqual(partsOf('<empty></empty>'), [{ tag: 'empty', words: '' }])
})

test('shows a tag that is not closed as text', () => {
  for (const text of ['1 < 2 > 0', '<a>open', 'closed</a>', '<a>crossed</b>', '<>x</>'])
    assert.deepEqual(partsOf(text), [{ words: text }], text)
})
