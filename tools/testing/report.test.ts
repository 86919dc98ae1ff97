import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeSlowest, slowestOf, timedTestsIn } from './report.ts'

test('lists ten tests, slowest first, with paths below the checkout', () => {
  const tests = Array.from({ length: 12 }, (_, index) => ({
    name: `test ${index}`,
    file: '/checkout/server/a.test.ts',
    // Out of order: 0, 500, 1000, 300 …
    ms: ((index * 5) % 12) * 100,
  }))
  const slowest = slowestOf(tests)
  const durations = slowest.map(({ ms }) => ms)
  assert.deepEqual(durations, [1_100, 1_000, 900, 800, 700, 600, 500, 400, 300, 200])
  assert.equal(describeSlowest(slowest, '/checkout')[0], '    1.1 s  server/a.test.ts: test 7')
})

test('finds the browser tests of nested suites', () => {
  const spec = (title: string, duration: number) => ({
    title,
    file: 'site/home.spec.ts',
    tests: [{ results: [{ duration }] }],
  })
  const report = { suites: [{ specs: [spec('outer', 5)], suites: [{ specs: [spec('inner', 7)] }] }] }
  // Playwright's paths are relative to e2e/.
  const file = 'e2e/site/home.spec.ts'
  assert.deepEqual(timedTestsIn(report), [
    { name: 'outer', file, ms: 5 },
    { name: 'inner', file, ms: 7 },
  ])
})
