import type { TimeChartProps } from './time-chart.tsx'

/** In pixels, around the plot. */
export const MARGIN = { top: 10, end: 8, bottom: 26 }

/** In pixels. */
export type Layout = {
  width: number
  height: number
  start: number
  /** The width of a period. */
  step: number
  /** The height of the plot. */
  plot: number
  ticks: number[]
  y: (value: number) => number
}

export function layoutOf(
  { series, periods, kind, limit = 0, isSmall = false, formatTick }: TimeChartProps,
  width: number,
  height: number,
): Layout {
  const totals = periods.map((_, index) => {
    const values = series.map(({ values: all }) => all[index] ?? 0)
    return kind === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values)
  })
  const ticks = ticksUpTo(Math.max(limit, ...totals, 0), isSmall ? 2 : 4)
  const top = ticks.at(-1) ?? 1
  const start = 12 + 8 * Math.max(...ticks.map((tick) => formatTick(tick).length))
  const plot = height - MARGIN.top - MARGIN.bottom
  return {
    width,
    height,
    start,
    step: (width - start - MARGIN.end) / Math.max(1, periods.length),
    plot,
    ticks,
    y: (value) => MARGIN.top + plot - (plot * value) / top,
  }
}

/**
 * Round values for an axis that begins at 0: at most `maxSteps` steps of 1, 2 or 5 times a power of ten, the
 * last one not below the largest value. Whole numbers only.
 */
function ticksUpTo(largest: number, maxSteps: number): number[] {
  const end = Math.max(1, largest)
  const minStep = end / maxSteps
  const power = 10 ** Math.floor(Math.log10(Math.max(1, minStep)))
  const step = [1, 2, 5].map((factor) => factor * power).find((size) => size >= minStep) ?? power * 10
  return Array.from({ length: Math.ceil(end / step) + 1 }, (_, index) => index * step)
}

type AxesProps = { chart: TimeChartProps; layout: Layout }

/** The axes with their labels, and the level to compare with. */
export function Axes({ chart, layout }: AxesProps) {
  const { periods, formatTick, limit, isSmall = false } = chart
  const { ticks, start, step, width, height, y } = layout
  const labels = spreadIndexes(periods.length, isSmall ? 2 : Math.max(2, Math.floor((width - start) / 90)))
  const middle = (index: number) => start + (index + 0.5) * step
  return (
    <g className="text-xs">
      {ticks.map((tick) => (
        <g key={tick}>
          <path
            d={`M${start} ${y(tick)}H${width - MARGIN.end}`}
            className={tick === 0 ? 'stroke-ink' : 'stroke-hairline'}
          />
          <text x={start - 6} y={y(tick)} dy="0.32em" textAnchor="end" className="figures fill-ink-soft">
            {formatTick(tick)}
          </text>
        </g>
      ))}
      {limit !== undefined && limit > 0 && (
        <path
          d={`M${start} ${y(limit)}H${width - MARGIN.end}`}
          strokeWidth="2"
          className="stroke-outline [stroke-dasharray:2_3]"
        />
      )}
      {labels.map((index) => (
        <g key={index}>
          <path d={`M${middle(index)} ${y(0)}v4`} className="stroke-ink" />
          <text
            x={middle(index)}
            y={height - 6}
            textAnchor={anchorOf(middle(index), start, width)}
            className="fill-ink-soft"
          >
            {periods[index]}
          </text>
        </g>
      ))}
    </g>
  )
}

/** Labels at the edges stay inside. */
function anchorOf(x: number, start: number, width: number): 'start' | 'middle' | 'end' {
  if (x - start < 24) return 'start'
  return width - MARGIN.end - x < 24 ? 'end' : 'middle'
}

/** At most `max` positions out of `count`, evenly apart, the first and usually the last among them. */
function spreadIndexes(count: number, max: number): number[] {
  if (count === 0) return []
  const step = Math.max(1, Math.ceil((count - 1) / Math.max(1, max - 1)))
  return Array.from({ length: Math.floor((count - 1) / step) + 1 }, (_, index) => index * step)
}
