import type { SeriesStyle } from './series-styles.tsx'

export type Series = {
  name: string
  style: SeriesStyle
  /** One for each period; null for a period without a value. */
  values: readonly (number | null)[]
}

export type ChartContent = {
  periods: readonly string[]
  series: readonly Series[]
  /** Bars are stacked. */
  kind: 'bars' | 'lines'
  /** Shortens a number for the axis. */
  formatTick: (value: number) => string
  /** A value to compare the series with. */
  limit?: number
  /** Half as high, with few ticks and no legend. */
  isSmall?: boolean
}

/** The space around the plot, in pixels. */
export const MARGIN = { top: 10, end: 8, bottom: 26 }

/** In pixels, except `ticks`, which are values. */
export type Layout = {
  width: number
  height: number
  /** The x at which the plot begins, after the labels of the ticks. */
  start: number
  periodWidth: number
  plotHeight: number
  ticks: number[]
  y: (value: number) => number
}

export function layoutOf(
  { series, periods, kind, limit = 0, isSmall = false, formatTick }: ChartContent,
  width: number,
  height: number,
): Layout {
  const peaks = periods.map((_, index) => {
    const amounts = series.map(({ values }) => values[index] ?? 0)
    return kind === 'bars' ? amounts.reduce((sum, amount) => sum + amount, 0) : Math.max(0, ...amounts)
  })
  const ticks = ticksUpTo(Math.max(limit, ...peaks, 0), isSmall ? 2 : 4)
  const maxTick = ticks.at(-1) ?? 1
  // 12 px of space, and 8 px for each character of the longest label.
  const start = 12 + 8 * Math.max(...ticks.map((tick) => formatTick(tick).length))
  const plotHeight = height - MARGIN.top - MARGIN.bottom
  return {
    width,
    height,
    start,
    periodWidth: (width - start - MARGIN.end) / Math.max(1, periods.length),
    plotHeight,
    ticks,
    y: (value) => MARGIN.top + plotHeight - (plotHeight * value) / maxTick,
  }
}

/** Values from 0 to at least `largest`, in at most `maxSteps` steps of 1, 2 or 5 times a power of ten. */
function ticksUpTo(largest: number, maxSteps: number): number[] {
  const end = Math.max(1, largest)
  const minStep = end / maxSteps
  const power = 10 ** Math.floor(Math.log10(Math.max(1, minStep)))
  const step = [1, 2, 5].map((factor) => factor * power).find((size) => size >= minStep) ?? power * 10
  return Array.from({ length: Math.ceil(end / step) + 1 }, (_, index) => index * step)
}
