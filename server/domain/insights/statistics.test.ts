import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, mondayOf, periodsOf, readRange } from './range.ts'
import { agreementOf, foldArrivals, quantileHours } from './statistics.ts'

const NOW = new Date('2026-03-04T23:30:00Z')

test('a range without a first day has four weeks, and a range by week has whole weeks', () => {
  assert.deepEqual(readRange({ by: 'day' }, NOW), { from: '2026-02-05', to: '2026-03-04', by: 'day' })
  const weeks = readRange({ from: '2026-02-18', to: '2026-03-04', by: 'week' }, NOW)
  assert.deepEqual(weeks, { from: '2026-02-16', to: '2026-03-08', by: 'week' })
  assert.deepEqual(periodsOf(weeks), ['2026-02-16', '2026-02-23', '2026-03-02'])
  assert.equal(periodsOf(readRange({ by: 'day' }, NOW)).length, 28)
})

test('days are counted across the end of a month and a leap day', () => {
  const twoDays = periodsOf({ from: '2026-02-28', to: '2026-03-01', by: 'day' })
  assert.deepEqual(twoDays, ['2026-02-28', '2026-03-01'])
  assert.equal(mondayOf('2026-03-01'), '2026-02-23')
  assert.equal(addDays('2028-02-28', 1), '2028-02-29')
})

test('refuses an invalid range, naming the field', () => {
  for (const [query, fields] of [
    [{ from: '2026-02-31' }, { from: 'day_format' }],
    [{ to: '2026-04-31' }, { to: 'day_format' }],
    [{ from: '2026-03-05' }, { to: 'range_order' }],
    [{ from: '2020-01-01' }, { from: 'range_long' }],
  ] as const)
    assert.throws(() => readRange({ ...query, by: 'day' }, NOW), {
      code: 'invalid_input',
      details: { fields },
    })
  const day = { from: '2026-03-04', to: '2026-03-04', by: 'day' } as const
  assert.deepEqual(readRange(day, NOW), day)
})

/** The same formula as in the SQL function `decision_counts`. */
const stepOf = (minutes: number) => Math.floor(8 * Math.log2(1 + minutes))
const histogram = (waits: readonly number[]) =>
  waits.map((minutes) => ({ step: stepOf(minutes), decisions: 1 }))

test('quantiles of the histogram are within a tenth of the exact quantiles', () => {
  // From 0 minutes to two weeks, all different and in mixed order: 7919 and 1,000 share no factor.
  const waits = Array.from({ length: 1_000 }, (_, index) => 20_000 * (((index * 7919) % 1000) / 1000) ** 3)
  const sorted = waits.toSorted((a, b) => a - b)
  for (const quantile of [0.1, 0.5, 0.9]) {
    const exact = (sorted[Math.ceil(quantile * 1_000) - 1] ?? 0) / 60
    const estimate = quantileHours(histogram(waits), quantile) ?? 0
    assert.ok(Math.abs(estimate - exact) <= exact * 0.1, `${quantile}: ${estimate} for ${exact}`)
  }
  assert.equal(quantileHours([], 0.5), null)
  assert.equal(quantileHours([{ step: 3, decisions: 0 }], 0.5), null)
  // Nine tenths of the first step, which lasts 2 ** (1 / 8) - 1 minutes, in hours.
  assert.equal(quantileHours(histogram([0]), 0.9), 0.00136)
})

test('sums up all arrivals as other except the twelve with the most verified emails', () => {
  const counts = { visits: 10, registered: 2, submitted: 1, approved: 0 }
  const arrival = (name: string, verified: number) => ({ arrival: name, verified, ...counts })
  const many = Array.from({ length: 14 }, (_, index) => arrival(`site${index}.example`, index))
  const folded = foldArrivals([...many, arrival('other', 100)])
  assert.equal(folded.length, 12 + 1)
  assert.equal(folded[0]?.arrival, 'site13.example')
  // Includes the two sites with the fewest verified emails, 0 and 1.
  const others = { visits: 30, registered: 6, verified: 101, submitted: 3, approved: 0 }
  assert.deepEqual(folded.at(-1), { arrival: 'other', ...others })
  const [a, b] = [arrival('a.example', 1), arrival('b.example', 1)]
  assert.deepEqual(foldArrivals([b, a]), [a, b], 'equal arrivals are in the order of their names')
})

test('sums up decisions by the claim’s risk band at that time', () => {
  const sums = [
    { part: '0 approved', amount: 5 },
    { part: '10 approved', amount: 2 },
    { part: '30 rejected', amount: 3 },
    { part: '60 rejected', amount: 4 },
    { part: '900 rejected', amount: 1 },
    { part: '900 approved', amount: 1 },
  ]
  assert.deepEqual(agreementOf(sums), [
    { risk: 'none', approved: 5, rejected: 0 },
    { risk: 'low', approved: 2, rejected: 0 },
    { risk: 'medium', approved: 0, rejected: 3 },
    { risk: 'high', approved: 1, rejected: 5 },
  ])
})
