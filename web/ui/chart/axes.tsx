import { type ChartContent, type Layout, MARGIN } from './layout.ts'

/** The width of a period's label, in pixels. */
const LABEL_WIDTH = 90

export function Axes({ chart, layout }: { chart: ChartContent; layout: Layout }) {
  const { periods, formatTick, limit, isSmall = false } = chart
  const { ticks, start, periodWidth, width, height, y } = layout
  const maxLabels = isSmall ? 2 : Math.max(2, Math.floor((width - start) / LABEL_WIDTH))
  const middleOf = (index: number) => start + (index + 0.5) * periodWidth
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
      {spreadIndexes(periods.length, maxLabels).map((index) => (
        <g key={index}>
          <path d={`M${middleOf(index)} ${y(0)}v4`} className="stroke-ink" />
          <text
            x={middleOf(index)}
            y={height - 6}
            textAnchor={anchorOf(middleOf(index), start, width)}
            className="fill-ink-soft"
          >
            {periods[index]}
          </text>
        </g>
      ))}
    </g>
  )
}

/** Keeps labels within 24 px of an edge inside the plot, by not centering them. */
function anchorOf(x: number, start: number, width: number): 'start' | 'middle' | 'end' {
  if (x - start < 24) return 'start'
  return width - MARGIN.end - x < 24 ? 'end' : 'middle'
}

/** At most `max` evenly spaced indexes below `count`, starting with 0. @param max at least 2 */
function spreadIndexes(count: number, max: number): number[] {
  const step = Math.max(1, Math.ceil((count - 1) / (max - 1)))
  return Array.from({ length: Math.floor((count - 1) / step) + 1 }, (_, index) => index * step)
}
