import { type Bars, formatNumber } from '../report.ts'
import { frame, MARGIN, round, rule, text, TOP, WIDTH } from './frame.ts'

const BAR = 18
const ROW = 24
const LABEL = 26
const GAP = 12
const FIGURE = 90
const SERIES = 190

/** Horizontal bars from zero, the first series in the signal color; each says its series and its figure. */
export function drawBars({ title, unit, groups }: Bars): string {
  const max = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)), Number.MIN_VALUE)
  const names = [...new Set(groups.flatMap(({ bars }) => bars.map(({ series }) => series)))]
  const left = MARGIN + (names.length > 1 ? SERIES : 0)
  const scale = (WIDTH - MARGIN - FIGURE - left) / max
  const body: string[] = []
  let y = TOP + 8
  for (const { label, bars } of groups) {
    body.push(text(MARGIN, y + 14, label, 'class="strong"'))
    y += LABEL
    for (const { series, value } of bars) {
      const width = Math.max(1, value * scale)
      if (left > MARGIN) body.push(text(left - 10, y + 13, series, 'class="soft" text-anchor="end"'))
      body.push(
        `<rect x="${left}" y="${y}" width="${round(width)}" height="${BAR}" rx="3" class="${series === names[0] ? 'first' : 'other'}"/>`,
        text(left + width + 8, y + 13, formatNumber(value), 'class="figure"'),
      )
      y += ROW
    }
    y += GAP
  }
  body.push(rule(left, TOP, left, y - GAP, 'axis'))
  const description = groups.map(
    ({ label, bars }) =>
      `${label}: ${bars.map(({ series, value }) => `${series} ${formatNumber(value)}`.trim()).join(', ')}`,
  )
  return frame({ title, subtitle: unit, description, height: y + MARGIN - GAP, body })
}
