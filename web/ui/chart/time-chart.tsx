import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { classes } from '../classes.ts'
import { Axes } from './axes.tsx'
import { type ChartContent, type Layout, layoutOf, MARGIN, type Series } from './layout.ts'
import { Hatch, Legend, LINE_CLASSES, fillOf } from './series-styles.tsx'

type TimeChartProps<Row> = Omit<ChartContent, 'periods' | 'series'> & {
  /** For screen readers. */
  label: string
  rows: readonly Row[]
  /** The name of a row's period. */
  period: (row: Row) => string
  /** `value`: null for a period without one. */
  series: readonly (Omit<Series, 'values'> & { value: (row: Row) => number | null })[]
  /** A row's values in words, read aloud and shown below the chart. */
  describe: (row: Row) => string
}

/** Figures over time. The pointer and arrow keys select a period, whose values are shown in words below. */
export function TimeChart<Row>(props: TimeChartProps<Row>) {
  const { label, rows, period, describe, kind, isSmall = false } = props
  const series = props.series.map(({ value, ...line }) => ({ ...line, values: rows.map(value) }))
  const chart: ChartContent = { ...props, periods: rows.map(period), series }
  const { ref, width } = useWidth(isSmall ? 280 : 640)
  const hatchId = useId()
  const [chosenIndex, setChosenIndex] = useState<number>()
  const lastIndex = rows.length - 1
  const height = isSmall ? 110 : 220
  const layout = layoutOf(chart, width, height)
  const shownIndex = chosenIndex === undefined ? undefined : Math.min(chosenIndex, lastIndex)
  const shownRow = rows[shownIndex ?? lastIndex]
  const reading = shownRow && describe(shownRow)

  const choosePeriodAtPointer = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const x = clientX - currentTarget.getBoundingClientRect().left
    setChosenIndex(Math.max(0, Math.min(lastIndex, Math.floor((x - layout.start) / layout.periodWidth))))
  }
  return (
    <div className="grid grid-cols-1 gap-2">
      {!isSmall && series.length > 1 && <Legend series={series} kind={kind} />}
      <div
        ref={ref}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, lastIndex)}
        aria-valuenow={shownIndex ?? lastIndex}
        aria-valuetext={reading}
        onPointerMove={choosePeriodAtPointer}
        onPointerDown={choosePeriodAtPointer}
        onPointerLeave={() => setChosenIndex(undefined)}
        onFocus={() => setChosenIndex((index) => index ?? lastIndex)}
        onBlur={() => setChosenIndex(undefined)}
        onKeyDown={(event) => {
          const next = indexAfterKey(event, shownIndex ?? lastIndex, lastIndex)
          if (next === undefined) return
          event.preventDefault()
          setChosenIndex(next)
        }}
        className="touch-pan-y"
      >
        <svg width={width} height={height} aria-hidden="true" className="block max-w-full overflow-visible">
          <Hatch id={hatchId} />
          <Axes chart={chart} layout={layout} />
          {shownIndex !== undefined && (
            <rect
              x={layout.start + shownIndex * layout.periodWidth}
              y={MARGIN.top}
              width={layout.periodWidth}
              height={layout.plotHeight}
              className="fill-ink/10"
            />
          )}
          {kind === 'bars' ? (
            <Bars series={series} layout={layout} hatchId={hatchId} />
          ) : (
            series.map((line) => (
              <Line key={line.name} series={line} layout={layout} shownIndex={shownIndex} />
            ))
          )}
        </svg>
      </div>
      <p
        aria-hidden="true"
        className={classes(
          'figures text-xs',
          isSmall ? '' : 'min-h-[2.8em] sm:min-h-[1.4em]',
          shownIndex === undefined && 'text-ink-soft',
        )}
      >
        {reading}
      </p>
    </div>
  )
}

/**
 * An element's current width in pixels. Charts are drawn in pixels, so that their text keeps its size.
 * @param assumed the width until the element is measured.
 */
function useWidth(assumed: number): { ref: RefObject<HTMLDivElement | null>; width: number } {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(assumed)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidth(entry.contentRect.width)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}

/** The index that a key selects; undefined for other keys. */
function indexAfterKey({ key }: KeyboardEvent, current: number, last: number): number | undefined {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max(0, current - 1)
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min(last, current + 1)
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}

type BarsProps = { series: readonly Series[]; layout: Layout; hatchId: string }

function Bars({ series, layout: { start, periodWidth, y }, hatchId }: BarsProps) {
  // At most 4 px, and less between thin bars.
  const gap = periodWidth > 6 ? Math.min(4, periodWidth * 0.2) : periodWidth * 0.1
  return series.map(({ name, style, values }, seriesIndex) =>
    values.map((value, index) => {
      if (!value) return null
      const below = series.slice(0, seriesIndex).reduce((sum, lower) => sum + (lower.values[index] ?? 0), 0)
      const top = y(below + value)
      return (
        <rect
          key={`${name} ${index}`}
          x={start + index * periodWidth + gap / 2}
          width={Math.max(1, periodWidth - gap)}
          y={top}
          // At least one pixel, so that a small value is visible.
          height={Math.max(1, y(below) - top)}
          {...fillOf(style, hatchId)}
        />
      )
    }),
  )
}

type LineProps = { series: Series; layout: Layout; shownIndex: number | undefined }

function Line({ series: { style, values }, layout: { start, periodWidth, y }, shownIndex }: LineProps) {
  const x = (index: number) => start + (index + 0.5) * periodWidth
  // Also true before the first value and after the last.
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
        value !== null && (index === shownIndex || isAlone(index)) ? (
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
