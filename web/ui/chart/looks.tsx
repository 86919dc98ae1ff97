/** How a series is drawn. They differ without color, too. */
export type Look = 'solid' | 'accent' | 'hatched'

export const LINES: Record<Look, string> = {
  solid: 'stroke-ink',
  accent: 'stroke-accent [stroke-dasharray:6_4]',
  hatched: 'stroke-ink-soft [stroke-dasharray:1_4]',
}

/** The fill of an area; `pattern` is the id of a {@link Hatch} in the same drawing. */
export const fillOf = (look: Look, pattern: string) =>
  look === 'hatched'
    ? { fill: `url(#${pattern})`, className: 'stroke-ink' }
    : { className: look === 'accent' ? 'fill-accent' : 'fill-ink' }

/** Diagonal lines, for the third series. */
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
  series: readonly { name: string; look: Look }[]
  kind: 'bars' | 'lines'
  pattern: string
}

export function Legend({ series, kind, pattern }: LegendProps) {
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {series.map(({ name, look }) => (
        <li key={name} className="inline-flex items-center gap-2">
          <svg width="22" height="12" aria-hidden="true" fill="none">
            {kind === 'lines' ? (
              <path d="M0 6H22" strokeWidth="2.5" className={LINES[look]} />
            ) : (
              <rect x="0.5" y="0.5" width="21" height="11" {...fillOf(look, pattern)} />
            )}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}
