import { formatNumber, type Lines, shortNumber } from '../report.ts'
import { frame, linearTicks, MARGIN, round, rule, text, TOP, WIDTH } from './frame.ts'

const HEIGHT = 400
const LEFT = MARGIN + 56
const RIGHT = WIDTH - MARGIN - 210
const BOTTOM = HEIGHT - 56
const LABEL = 17
const DASHES = ['', '7 4', '2 4', '10 4 2 4']

/** Lines over a logarithmic x axis, named at their right ends and told apart by dashes as well. */
export function drawLines({ title, unit, xLabel, lines }: Lines): string {
  const points = lines.flatMap((line) => line.points)
  const xs = [...new Set(points.map(([x]) => x))].toSorted((a, b) => a - b)
  const steps = linearTicks(Math.max(...points.map(([, y]) => y)))
  const x = between(Math.log10(xs[0] ?? 1), Math.log10(xs.at(-1) ?? 10), LEFT, RIGHT)
  const atX = (value: number) => x(Math.log10(value))
  const atY = between(0, steps.at(-1) ?? 1, BOTTOM, TOP + 16)
  const ends = spread(lines.map(({ points: of }) => atY(of.at(-1)?.[1] ?? 0)))
  const body = [
    ...steps.flatMap((step) => [
      rule(LEFT, atY(step), RIGHT, atY(step), 'grid'),
      text(LEFT - 8, atY(step) + 4, shortNumber(step), 'class="figure soft" text-anchor="end"'),
    ]),
    ...xs.map((at) =>
      text(atX(at), BOTTOM + 20, shortNumber(at), 'class="figure soft" text-anchor="middle"'),
    ),
    text((LEFT + RIGHT) / 2, BOTTOM + 40, xLabel, 'class="soft" text-anchor="middle"'),
    ...lines.flatMap(({ series, points: of }, index) => [
      `<polyline points="${of.map(([px, py]) => `${round(atX(px))},${round(atY(py))}`).join(' ')}" class="${index === 0 ? 'first' : ''}" stroke-dasharray="${DASHES[index % DASHES.length]}"/>`,
      ...of.map(
        ([px, py]) =>
          `<circle cx="${round(atX(px))}" cy="${round(atY(py))}" r="4" class="${index === 0 ? 'first' : 'other'}"/>`,
      ),
      text(RIGHT + 12, (ends[index] ?? 0) + 4, `${series} ${formatNumber(of.at(-1)?.[1] ?? 0)}`),
    ]),
  ]
  const description = lines.map(
    ({ series, points: of }) =>
      `${series}: ${of.map(([px, py]) => `${formatNumber(py)} at ${shortNumber(px)}`).join(', ')}`,
  )
  return frame({ title, subtitle: unit, description, height: HEIGHT, body })
}

/** Maps one range linearly to another. */
function between(from: number, to: number, start: number, end: number): (value: number) => number {
  return (value) => start + ((value - from) / (to - from || 1)) * (end - start)
}

/** Moves labels down until none covers another; the last ones move up if they would leave the picture. */
export function spread(wanted: readonly number[]): number[] {
  const order = wanted.map((_, index) => index).toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0))
  const placed = [...wanted]
  let above = Number.NEGATIVE_INFINITY
  for (const index of order) above = placed[index] = Math.max(placed[index] ?? 0, above + LABEL)
  let below = BOTTOM + LABEL
  for (const index of order.toReversed()) below = placed[index] = Math.min(placed[index] ?? 0, below - LABEL)
  return placed
}
