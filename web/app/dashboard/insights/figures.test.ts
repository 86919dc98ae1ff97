import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatHours } from './figures.ts'

test('a number of hours has two digits, but no part of less than a hundredth', () => {
  const formatted = [null, 0, 0.000_91, 0.0213, 0.234, 9.13, 47.4, 147].map(formatHours)
  assert.deepEqual(formatted, ['–', '0', '0', '0.02', '0.23', '9.1', '47', '150'])
})
