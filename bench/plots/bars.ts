import { type Bars, formatNumber } from '../report.ts'
import { frame, MARGIN, round, rule, text, TOP, WIDTH } from './frame.ts'

/** In pixels. */
const BAR_HEIGHT = 18
const ROW_HEIGHT = 24
const LABEL_HEIGHT = 26
const GROUP_GAP = 12
const FIGURE_WIDTH = 90
const SERIES_WIDTH = 190

/** Horizontal bars with their figures and, if there are several series, the names of their series. */
export function drawBars({ title, unit, groups }: Bars): string {
  const values = groups.flatMap(({ bars }) => bars.map(({ value }) => value))
  const nonzeroMax = Math.max(...values, Number.MIN_VALUE)
  const seriesNames = [...new Set(groups.flatMap(({ bars }) => bars.map(({ series }) => series)))]
  const hasSeveralSeries = seriesNames.length > 1
  const left = MARGIN + (hasSeveralSeries ? SERIES_WIDTH : 0)
  const scale = (WIDTH - MARGIN - FIGURE_WIDTH - left) / nonzeroMax
  const body: string[] = []
  let y = TOP + 8
  for (const { label, bars } of groups) {
    body.push(text(MARGIN, y + 14, label, 'class="strong"'))
    y += LABEL_HEIGHT
    for (const { series, value } of bars) {
      const width = Math.max(1, value * scale)
      if (hasSeveralSeries) body.push(text(left - 10, y + 13, series, 'class="soft" text-anchor="end"'))
      body.push(
        `<rect x="${left}" y="${y}" width="${round(width)}" height="${BAR_HEIGHT}" rx="3" class="${series === seriesNames[0] ? 'first' : 'other'}"/>`,
        text(left + width + 8, y + 13, formatNumber(value), 'class="figure"'),
      )
      y += ROW_HEIGHT
    }
    y += GROUP_GAP
  }
  body.push(rule(left, TOP, left, y - GROUP_GAP, 'axis'))
  const description = groups.map(
    ({ label, bars }) =>
      `${label}: ${bars.map(({ series, value }) => `${series} ${formatNumber(value)}`.trim()).join(', ')}`,
  )
  return frame({ title, subtitle: unit, description, height: y + MARGIN - GROUP_GAP, body })
}
