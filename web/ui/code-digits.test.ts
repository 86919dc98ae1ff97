import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EMPTY, boxAfter, digitsOf, erase, spread } from './code-digits.ts'

const filled = (text: string) => spread(EMPTY, 0, text)

test('only digits count', () => {
  assert.equal(digitsOf('Code: 123 456'), '123456')
  assert.equal(digitsOf('abc'), '')
})

test('digits are spread from a box on, and what does not fit is dropped', () => {
  assert.deepEqual(spread(EMPTY, 0, '123456'), ['1', '2', '3', '4', '5', '6'])
  assert.deepEqual(spread(filled('111111'), 4, '789'), ['1', '1', '1', '1', '7', '8'])
  assert.equal(boxAfter(4, 3), 5)
  assert.equal(boxAfter(0, 1), 1)
})

test('Backspace on an empty box clears the previous one and focuses it, in both ways', () => {
  for (const behaviour of ['step-back', 'clear-here'] as const) {
    const erased = erase(filled('12'), 2, behaviour)
    assert.deepEqual(erased, { digits: ['1', '', '', '', '', ''], focus: 1 })
    assert.equal(erase(EMPTY, 0, behaviour)?.focus, 0)
  }
})

test('Backspace on a filled box clears it where asked to, and is left to the browser otherwise', () => {
  assert.deepEqual(erase(filled('12'), 1, 'clear-here'), { digits: ['1', '', '', '', '', ''], focus: 1 })
  assert.equal(erase(filled('12'), 1, 'step-back'), null)
})
