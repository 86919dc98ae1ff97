import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorWithin } from './error-within.ts'

test('a field shows its own error, or else the first error of its parts', () => {
  const errors = { 'lines.1': 'Second line.', 'lines.2': 'Third line.', 'linesBelow.0': 'Another field.' }
  assert.equal(errorWithin(errors, 'lines'), 'Second line.')
  assert.equal(errorWithin({ ...errors, lines: 'Too many lines.' }, 'lines'), 'Too many lines.')
  assert.equal(errorWithin(errors, 'lines.1'), 'Second line.')
  assert.equal(errorWithin(errors, 'line'), undefined)
})
