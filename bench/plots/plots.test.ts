import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawBars } from './bars.ts'
import { linearTicks } from './frame.ts'
import { drawLines, spread } from './lines.ts'
import { drawMarks } from './marks.ts'
import { type Bound, formatCell, type Marked, parseMark } from '../report.ts'

const captures = (svg: string, pattern: RegExp) => [...svg.matchAll(pattern)].map(([, captured]) => captured)

test('the length of a bar is proportional to its figure, and the description names all figures', () => {
  const svg = drawBars({
    kind: 'bars',
    name: 'x',
    title: 'a < b & "c"',
    unit: 'requests/s',
    groups: [
      {
        label: 'page',
        bars: [
          { series: 'ours', value: 400 },
          { series: 'theirs', value: 100 },
        ],
      },
    ],
  })
  const [ours = 0, theirs = 0] = captures(svg, /<rect x[^>]* width="([\d.]+)"/g).map(Number)
  assert.ok(Math.abs(ours / theirs - 4) < 0.01, `${ours} and ${theirs}`)
  assert.match(svg, /<title id="title">a &lt; b &amp; &quot;c&quot;<\/title>/)
  assert.match(svg, /<desc id="description">page: ours 400, theirs 100<\/desc>/)
})

test('a larger figure is drawn higher, and the x axis is logarithmic', () => {
  const points = [
    [10_000, 1],
    [100_000, 1],
    [1_000_000, 2],
  ] as const
  const svg = drawLines({
    kind: 'lines',
    name: 'x',
    title: '',
    unit: '',
    xLabel: '',
    lines: [{ series: 's', points }],
  })
  const [x0 = 0, x1 = 0, x2 = 0] = captures(svg, /<circle cx="([\d.]+)"/g).map(Number)
  const [y0 = 0, y1 = 0, y2 = 0] = captures(svg, /<circle [^>]* cy="([\d.]+)"/g).map(Number)
  assert.ok(Math.abs(x1 - x0 - (x2 - x1)) < 0.2, 'equal factors are equally wide, but for rounding')
  assert.ok(y0 === y1 && y2 < y1, 'up is smaller in SVG')
})

/** The performance page prints marks and parses them again. */
const printAndRead = (cell: Marked) => parseMark(formatCell(cell)) ?? assert.fail()

test('bars of met marks begin at the line, and bars of missed marks to its left', () => {
  const barLeft = (value: number, bound: Bound) =>
    captures(
      drawMarks('', [{ what: 'w', mark: printAndRead({ value, mark: bound }) }]),
      /<rect x="([\d.]+)"/g,
    ).map(Number)[0] ?? 0
  const line = barLeft(1, { atLeast: 1 })
  assert.equal(barLeft(3, { atLeast: 1 }), line)
  assert.equal(barLeft(0.3, { atMost: 1 }), line)
  assert.ok(barLeft(0.3, { atLeast: 1 }) < line)
  assert.ok(barLeft(3, { atMost: 1 }) < line)
})

test('overlapping labels are moved apart, and stay in the picture', () => {
  // A label is 17 pixels high. The lowest place is 344.
  assert.deepEqual(spread([100, 300, 101]), [100, 300, 117])
  const [first = 0, second = 0] = spread([344, 344])
  assert.ok(first <= 344 && second <= 344 && Math.abs(first - second) >= 17)
})

test('the ticks of a scale are at round steps, and reach its largest figure', () => {
  assert.deepEqual(linearTicks(1.73), [0, 0.5, 1, 1.5, 2])
  assert.deepEqual(linearTicks(60_000), [0, 20_000, 40_000, 60_000])
})
