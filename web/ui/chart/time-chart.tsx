import { useId, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { classes } from '../classes.ts'
import { Hatch, Legend, LINE_CLASSES, type SeriesStyle, fillOf } from './series-styles.tsx'
import { spreadIndexes, ticksUpTo } from './scale.ts'
import { useWidth } from './use-width.ts'

export type Series = {
  name: string
  style: SeriesStyle
  /** One for each period; null where there is none. */
  values: readonly (number | null)[]
}

export type TimeChartProps = {
  /** What it shows, for screen readers. */
  label: string
  /** The names of the periods. */
  periods: readonly string[]
  series: readonly Series[]
  /** Bars are stacked. */
  kind: 'bars' | 'lines'
  /** Shorter numbers, for the axis. */
  formatTick: (value: number) => string
  /** The values of a period, by its index, in words: read aloud, and shown below the chart. */
  describe: (period: number) => string
  /** In pixels. */
  height?: number
  /** A level to compare with. */
  limit?: number
  /** Few ticks and no legend. */
  isSmall?: boolean
}

const MARGIN = { top: 10, end: 8, bottom: 26 }

/** Figures over time. The pointer and the arrow keys choose the period whose values a line below shows. */
export function TimeChart(props: TimeChartProps) {
  const { label, periods, series, kind, describe, height = 220, isSmall = false } = props
  const { ref, width } = useWidth<HTMLDivElement>(isSmall ? 280 : 640)
  const pattern = useId()
  const [at, setAt] = useState<number>()
  const last = periods.length - 1
  const layout = layoutOf(props, width, height)
  const shown = at === undefined ? undefined : Math.min(at, last)

  const onMove = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const x = clientX - currentTarget.getBoundingClientRect().left
    setAt(Math.max(0, Math.min(last, Math.floor((x - layout.start) / layout.step))))
  }
  return (
    <div className="grid grid-cols-1 gap-2">
      {!isSmall && series.length > 1 && <Legend series={series} kind={kind} pattern={pattern} />}
      <div
        ref={ref}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={shown ?? last}
        aria-valuetext={describe(shown ?? last)}
        onPointerMove={onMove}
        onPointerDown={onMove}
        onPointerLeave={() => setAt(undefined)}
        onFocus={() => setAt((known) => known ?? last)}
        onBlur={() => setAt(undefined)}
        onKeyDown={(event) => {
          const next = indexAfterKey(event, shown ?? last, last)
          if (next === undefined) return
          event.preventDefault()
          setAt(next)
        }}
        className="touch-pan-y"
      >
        <svg width={width} height={height} aria-hidden="true" className="block max-w-full overflow-visible">
          <Hatch id={pattern} />
          <Axes {...props} {...layout} />
          {shown !== undefined && (
            <rect
              x={layout.start + shown * layout.step}
              y={MARGIN.top}
              width={layout.step}
              height={layout.plot}
              className="fill-ink/10"
            />
          )}
          {kind === 'bars' ? (
            <Bars series={series} layout={layout} pattern={pattern} />
          ) : (
            series.map((one) => <Line key={one.name} series={one} layout={layout} shown={shown} />)
          )}
        </svg>
      </div>
      <p
        aria-hidden="true"
        className={classes(
          'figures text-xs',
          isSmall ? '' : 'min-h-[2.8em] sm:min-h-[1.4em]',
          shown === undefined && 'text-ink-soft',
        )}
      >
        {periods.length > 0 && describe(shown ?? last)}
      </p>
    </div>
  )
}

/** The period that a key leads to. */
function indexAfterKey({ key }: KeyboardEvent, now: number, last: number): number | undefined {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, now - 1)
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(last, now + 1)
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}

/** In pixels. */
type Layout = {
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

function layoutOf(
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

type AxesProps = TimeChartProps & Layout

function Axes({
  periods,
  ticks,
  formatTick,
  start,
  step,
  width,
  height,
  y,
  limit,
  isSmall = false,
}: AxesProps) {
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

type BarsProps = { series: readonly Series[]; layout: Layout; pattern: string }

function Bars({ series, layout: { start, step, y }, pattern }: BarsProps) {
  const gap = step > 6 ? Math.min(4, step * 0.2) : step * 0.1
  return series.map(({ name, style, values }, place) =>
    values.map((value, index) => {
      if (!value) return null
      const below = series.slice(0, place).reduce((sum, one) => sum + (one.values[index] ?? 0), 0)
      const top = y(below + value)
      return (
        <rect
          key={`${name} ${index}`}
          x={start + index * step + gap / 2}
          width={Math.max(1, step - gap)}
          y={top}
          // At least a pixel, so that a small value can be seen.
          height={Math.max(1, y(below) - top)}
          {...fillOf(style, pattern)}
        />
      )
    }),
  )
}

type LineProps = { series: Series; layout: Layout; shown: number | undefined }

function Line({ series: { style, values }, layout: { start, step, y }, shown }: LineProps) {
  const x = (index: number) => start + (index + 0.5) * step
  const isMissing = (index: number) => (values[index] ?? null) === null
  const isAlone = (index: number) => isMissing(index - 1) && isMissing(index + 1)
  let path = ''
  values.forEach((value, index) => {
    if (value !== null) path += `${isMissing(index - 1) ? 'M' : 'L'}${x(index)} ${y(value)}`
  })
  return (
    <>
      <path d={path} fill="none" strokeWidth="2.5" strokeLinejoin="round" className={LINE_CLASSES[style]} />
      {values.map((value, index) =>
        value !== null && (index === shown || isAlone(index)) ? (
          <circle
            key={index}
            cx={x(index)}
            cy={y(value)}
            r="4"
            strokeWidth="2"
            className={classes('stroke-paper', style === 'accent' ? 'fill-accent' : 'fill-ink')}
          />
        ) : null,
      )}
    </>
  )
}
