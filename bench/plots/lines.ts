import { formatNumber, type Lines, shortNumber } from '../report.ts'
import { frame, linearTicks, MARGIN, round, rule, text, TOP, WIDTH } from './frame.ts'

const HEIGHT = 400
const LEFT = MARGIN + 56
/** Leaves room for the names of the lines. */
const RIGHT = WIDTH - MARGIN - 210
const BOTTOM = HEIGHT - 56
const LABEL_HEIGHT = 17
const DASHES = ['', '7 4', '2 4', '10 4 2 4']

/** Lines over a logarithmic x axis, with different dashes and their names at the right ends. */
export function drawLines({ title, unit, xLabel, lines }: Lines): string {
  const allPoints = lines.flatMap((line) => line.points)
  const xs = [...new Set(allPoints.map(([x]) => x))].toSorted((a, b) => a - b)
  const ticks = linearTicks(Math.max(...allPoints.map(([, y]) => y)))
  const xOfLog = linearScale(Math.log10(xs[0] ?? 1), Math.log10(xs.at(-1) ?? 10), LEFT, RIGHT)
  const xOf = (x: number) => xOfLog(Math.log10(x))
  const yOf = linearScale(0, ticks.at(-1) ?? 1, BOTTOM, TOP + 16)
  const labelYs = spread(lines.map(({ points }) => yOf(points.at(-1)?.[1] ?? 0)))
  const body = [
    ...ticks.flatMap((tick) => [
      rule(LEFT, yOf(tick), RIGHT, yOf(tick), 'grid'),
      text(LEFT - 8, yOf(tick) + 4, shortNumber(tick), 'class="figure soft" text-anchor="end"'),
    ]),
    ...xs.map((x) => text(xOf(x), BOTTOM + 20, shortNumber(x), 'class="figure soft" text-anchor="middle"')),
    text((LEFT + RIGHT) / 2, BOTTOM + 40, xLabel, 'class="soft" text-anchor="middle"'),
    ...lines.flatMap(({ series, points }, index) => [
      `<polyline points="${points.map(([x, y]) => `${round(xOf(x))},${round(yOf(y))}`).join(' ')}" class="${index === 0 ? 'first' : ''}" stroke-dasharray="${DASHES[index % DASHES.length]}"/>`,
      ...points.map(
        ([x, y]) =>
          `<circle cx="${round(xOf(x))}" cy="${round(yOf(y))}" r="4" class="${index === 0 ? 'first' : 'other'}"/>`,
      ),
      text(RIGHT + 12, (labelYs[index] ?? 0) + 4, `${series} ${formatNumber(points.at(-1)?.[1] ?? 0)}`),
    ]),
  ]
  const description = lines.map(
    ({ series, points }) =>
      `${series}: ${points.map(([x, y]) => `${formatNumber(y)} at ${shortNumber(x)}`).join(', ')}`,
  )
  return frame({ title, subtitle: unit, description, height: HEIGHT, body })
}

/** Maps `from`…`to` linearly to `start`…`end`. */
function linearScale(from: number, to: number, start: number, end: number): (value: number) => number {
  return (value) => start + ((value - from) / (to - from || 1)) * (end - start)
}

/**
 * Moves labels down until they do not overlap. Labels below the plot then move up.
 * @param wanted the best y coordinate of each label
 * @returns the y coordinates, in the same order
 */
export function spread(wanted: readonly number[]): number[] {
  const order = wanted.map((_, index) => index).toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  const placed = [...wanted]
  let above = Number.NEGATIVE_INFINITY
  for (const index of order) {
    above = Math.max(placed[index] ?? 0, above + LABEL_HEIGHT)
    placed[index] = above
  }
  let below = BOTTOM + LABEL_HEIGHT
  for (const index of order.toReversed()) {
    below = Math.min(placed[index] ?? 0, below - LABEL_HEIGHT)
    placed[index] = below
  }
  return placed
}
