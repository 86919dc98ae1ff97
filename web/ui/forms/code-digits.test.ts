import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EMPTY, boxAfter, digitsOf, fillBoxes } from './code-digits.ts'

test('keeps only digits, which may be Arabic, Persian or full-width', () => {
  assert.equal(digitsOf('Code: 123 456'), '123456')
  assert.equal(digitsOf('abc'), '')
  assert.equal(digitsOf('٠١٢٣٤٥٦٧٨٩'), '0123456789')
  assert.equal(digitsOf('۰۱۲۳۴۵۶۷۸۹'), '0123456789')
  assert.equal(digitsOf('０１２３４５６７８９'), '0123456789')
})

test('fills boxes from a given box and drops surplus digits', () => {
  assert.deepEqual(fillBoxes(EMPTY, 0, '123456'), [...'123456'])
  assert.deepEqual(fillBoxes([...'111111'], 4, '789'), [...'111178'])
})

test('moves the focus past the typed digits, at most to the last box', () => {
  assert.equal(boxAfter(0, 1), 1)
  assert.equal(boxAfter(4, 3), 5)
})
