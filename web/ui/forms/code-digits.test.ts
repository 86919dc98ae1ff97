import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EMPTY, boxAfter, digitsOf, erase, fillBoxes } from './code-digits.ts'

const filled = (text: string) => fillBoxes(EMPTY, 0, text)

test('keeps only digits, also those of an Arabic or Persian keyboard', () => {
  assert.equal(digitsOf('Code: 123 456'), '123456')
  assert.equal(digitsOf('abc'), '')
  assert.equal(digitsOf('٠١٢٣٤٥٦٧٨٩'), '0123456789')
  assert.equal(digitsOf('۰۱۲۳۴۵۶۷۸۹'), '0123456789')
})

test('fills boxes from the start index, drops surplus digits and focuses the next box, at most the last', () => {
  assert.deepEqual(fillBoxes(EMPTY, 0, '123456'), ['1', '2', '3', '4', '5', '6'])
  assert.deepEqual(fillBoxes(filled('111111'), 4, '789'), ['1', '1', '1', '1', '7', '8'])
  assert.equal(boxAfter(4, 3), 5)
  assert.equal(boxAfter(0, 1), 1)
})

test('Backspace in an empty box clears and focuses the previous one in both modes', () => {
  for (const behavior of ['step-back', 'clear-here'] as const) {
    const erased = erase(filled('12'), 2, behavior)
    assert.deepEqual(erased, { digits: ['1', '', '', '', '', ''], focus: 1 })
    assert.equal(erase(EMPTY, 0, behavior)?.focus, 0)
  }
})

test('Backspace in a filled box clears it in clear-here mode and is left to the browser in step-back mode', () => {
  assert.deepEqual(erase(filled('12'), 1, 'clear-here'), { digits: ['1', '', '', '', '', ''], focus: 1 })
  assert.equal(erase(filled('12'), 1, 'step-back'), null)
})
