import { useId } from 'react'

/** How a series is drawn. The styles differ without color too. */
export type SeriesStyle = 'solid' | 'accent' | 'hatched'

export const LINE_CLASSES: Record<SeriesStyle, string> = {
  solid: 'stroke-ink',
  accent: 'stroke-accent [stroke-dasharray:6_4]',
  hatched: 'stroke-ink-soft [stroke-dasharray:1_4]',
}

/** How to fill an area. @param hatchId of a {@link Hatch} in the same drawing. */
export const fillOf = (style: SeriesStyle, hatchId: string) =>
  style === 'hatched'
    ? { fill: `url(#${hatchId})`, className: 'stroke-ink' }
    : { className: style === 'accent' ? 'fill-accent' : 'fill-ink' }

/** The diagonal lines that fill `hatched` series. Each drawing needs its own, with an id from `useId`. */
export function Hatch({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path d="M0 0V5" className="stroke-ink" strokeWidth="2" />
      </pattern>
    </defs>
  )
}

type LegendProps = {
  series: readonly { name: string; style: SeriesStyle }[]
  kind: 'bars' | 'lines'
}

export function Legend({ series, kind }: LegendProps) {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {series.map(({ name, style }) => (
        <li key={name} className="inline-flex items-center gap-2">
          <svg width="22" height="12" aria-hidden="true" fill="none">
            {kind === 'lines' ? (
              <path d="M0 6H22" strokeWidth="2.5" className={LINE_CLASSES[style]} />
            ) : (
              <BarSample style={style} />
            )}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}

function BarSample({ style }: { style: SeriesStyle }) {
  const hatchId = useId()
  return (
    <>
      <Hatch id={hatchId} />
      <rect x="0.5" y="0.5" width="21" height="11" {...fillOf(style, hatchId)} />
    </>
  )
}
