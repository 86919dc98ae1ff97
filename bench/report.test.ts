import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  asTable,
  type Bound,
  formatCell,
  growthRow,
  isMet,
  marksOf,
  parseMark,
  type Row,
  sizesOf,
} from './report.ts'

const ratio = (value: number) => ({ value, mark: { atMost: 1.2 } })
const pageRow = (page: string, value: number): Row => ({ page, ms: 1234.5, ratio: ratio(value) })

test('a table right-aligns numbers and says which marks are met', () => {
  assert.equal(
    asTable([pageRow('first', 1.2), { ...pageRow('last', 1.21), note: 'cold' }]),
    [
      'page      ms                 ratio  note',
      '-----  -----  --------------------  ----',
      'first  1,235     1.20 (≤ 1.20 met)',
      'last   1,235  1.21 (≤ 1.20 missed)  cold',
    ].join('\n'),
  )
})

test('a mark is met by a figure equal to its bound', () => {
  const whichMeet = (mark: Bound, values: number[]) => values.filter((value) => isMet({ value, mark }))
  assert.deepEqual(whichMeet({ atLeast: 0.7 }, [0.69, 0.7, 0.71]), [0.7, 0.71])
  assert.deepEqual(whichMeet({ atMost: 1.5 }, [1.49, 1.5, 1.51]), [1.49, 1.5])
  assert.deepEqual(whichMeet({ atMost: 1.5 }, [Number.NaN]), [])
})

test('parsing a printed mark gives its rounded figure, and whether the exact figure met the mark', () => {
  for (const [value, mark, isMarkMet, rounded = value] of [
    [1.302, { atMost: 1.3 }, false, 1.3],
    [53_489, { atLeast: 50_000 }, true],
    [Infinity, { atMost: 1.3 }, false],
  ] as const) {
    const printed = formatCell({ value, mark })
    assert.deepEqual(parseMark(printed), { value: rounded, mark, printed, isMet: isMarkMet })
  }
  for (const other of ['', '1.30', 'needs pgbench (Debian: postgresql-contrib)'])
    assert.equal(parseMark(other), undefined)
})

test('growth is the figure at the largest size divided by the figure at the smallest, and may be at most 1.3', () => {
  const slower = growthRow('page 1, ms', [
    [10_000, 2],
    [100_000, 9],
    [1_000_000, 3],
  ])
  assert.deepEqual(slower, {
    what: 'page 1, ms',
    '10 k': 2,
    '100 k': 9,
    '1 M': 3,
    factor: { value: 1.5, mark: { atMost: 1.3 } },
  })
  assert.equal(formatCell(slower['factor']), '1.50 (≤ 1.30 missed)')
})

test('all marks are listed with their row and column', () => {
  const reports = [{ title: '', notes: [], rows: [pageRow('first', 1), pageRow('last', 2)] }]
  assert.deepEqual(marksOf(reports), [
    { what: 'first', column: 'ratio', cell: ratio(1) },
    { what: 'last', column: 'ratio', cell: ratio(2) },
  ])
})

test('a quick run measures growth up to ten thousand participants', () => {
  assert.deepEqual(sizesOf({ quick: false }), [10_000, 100_000, 1_000_000])
  assert.ok(sizesOf({ quick: true }).every((size) => size <= 10_000))
})
