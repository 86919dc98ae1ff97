import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EMPTY, boxAfter, digitsOf, fillBoxes } from './code-digits.ts'

test('keeps only digits, also those of an Arabic or Persian keyboard', () => {
  assert.equal(digitsOf('Code: 123 456'), '123456')
  assert.equal(digitsOf('abc'), '')
  assert.equal(digitsOf('٠١٢٣٤٥٦٧٨٩'), '0123456789')
  assert.equal(digitsOf('۰۱۲۳۴۵۶۷۸۹'), '0123456789')
})

test('fills boxes from the start index, drops surplus digits and focuses the next box, at most the last', () => {
  assert.deepEqual(fillBoxes(EMPTY, 0, '123456'), ['1', '2', '3', '4', '5', '6'])
  assert.deepEqual(fillBoxes([...'111111'], 4, '789'), ['1', '1', '1', '1', '7', '8'])
  assert.equal(boxAfter(4, 3), 5)
  assert.equal(boxAfter(0, 1), 1)
})
