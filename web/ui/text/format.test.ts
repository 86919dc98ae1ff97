import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatPercent } from './format.ts'

test('rounds a percentage down, without floating-point errors', () => {
  // 0.29 * 100 is 28.999999999999996.
  assert.equal(formatPercent(0.29), '29%')
  assert.equal(formatPercent(0.999), '99%')
  assert.equal(formatPercent(1), '100%')
})
