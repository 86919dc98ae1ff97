import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectedComponents } from './link-accounts.ts'

const groups = (...pairs: string[]) =>
  connectedComponents(pairs.map((pair) => ({ older: pair.charAt(0), newer: pair.charAt(1) })))
    .map((group) => group.toSorted().join(''))
    .toSorted()

test('groups connected accounts, whatever the order of the pairs', () => {
  assert.deepEqual(groups(), [])
  assert.deepEqual(groups('ab', 'cd'), ['ab', 'cd'])
  assert.deepEqual(groups('ab', 'cd', 'bc'), ['abcd'])
  assert.deepEqual(groups('cd', 'ad', 'ab', 'ad'), ['abcd'])
  assert.deepEqual(groups('ab', 'bc', 'ca', 'xy'), ['abc', 'xy'])
})
