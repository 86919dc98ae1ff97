import { type ChartContent, type Layout, MARGIN } from './layout.ts'

type AxesProps = { chart: ChartContent; layout: Layout }

/** The axes with their labels, and the level to compare with. */
export function Axes({ chart, layout }: AxesProps) {
  const { periods, formatTick, limit, isSmall = false } = chart
  const { ticks, start, periodWidth, width, height, y } = layout
  const labeled = spreadIndexes(periods.length, isSmall ? 2 : Math.max(2, Math.floor((width - start) / 90)))
  const middle = (index: number) => start + (index + 0.5) * periodWidth
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
      {labeled.map((index) => (
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

/** At most `max` of `count` indexes, evenly apart: the first and usually the last among them. */
function spreadIndexes(count: number, max: number): number[] {
  if (count === 0) return []
  const step = Math.max(1, Math.ceil((count - 1) / Math.max(1, max - 1)))
  return Array.from({ length: Math.floor((count - 1) / step) + 1 }, (_, index) => index * step)
}
