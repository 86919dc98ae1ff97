import { useId } from 'react'
import { Hatch, Legend, type SeriesStyle, fillOf } from './series-styles.tsx'

type Part = { name: string; style: SeriesStyle }
type Bar = {
  name: string
  /** One for each part. They are drawn end to end. */
  values: readonly number[]
  /** Shown after the bar. */
  text: string
}

type BarListProps = { label: string; parts: readonly Part[]; bars: readonly Bar[] }

export function BarList({ label, parts, bars }: BarListProps) {
  const longest = Math.max(1, ...bars.map(({ values }) => sumOf(values)))
  return (
    <div className="grid grid-cols-1 gap-3">
      {parts.length > 1 && <Legend series={parts} kind="bars" />}
      <ul aria-label={label} className="grid grid-cols-1 gap-2.5">
        {bars.map(({ name, values, text }) => (
          <li
            key={name}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 text-sm sm:grid-cols-[10rem_minmax(0,1fr)_auto]"
          >
            <span dir="auto" className="font-semibold wrap-anywhere">
              {name}
            </span>
            <Drawing values={values} longest={longest} parts={parts} />
            <span className="figures text-end max-sm:col-start-2 max-sm:row-start-1 sm:min-w-20">{text}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

type DrawingProps = {
  values: readonly number[]
  longest: number
  parts: readonly Part[]
}

function Drawing({ values, longest, parts }: DrawingProps) {
  const hatchId = useId()
  const percent = (value: number) => `${(100 * value) / longest}%`
  return (
    <svg aria-hidden="true" width="100%" height="16" className="max-sm:col-span-2 max-sm:row-start-2">
      <Hatch id={hatchId} />
      <path d="M0.5 0V16" className="stroke-ink" />
      {parts.map(({ name, style }, index) =>
        values[index] ? (
          <rect
            key={name}
            x={percent(sumOf(values.slice(0, index)))}
            y="2"
            width={percent(values[index])}
            height="12"
            {...fillOf(style, hatchId)}
          />
        ) : null,
      )}
    </svg>
  )
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
