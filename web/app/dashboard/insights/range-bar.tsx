import type { Insights } from '#contract/dashboard/insights.ts'
import { INSIGHTS } from '#messages/dashboard-insights.js'
import { Form } from '#web/features/forms/form.tsx'
import { navigate, useLocation, useParam, withQuery } from '#web/features/navigation/location.ts'
import { CompactButton } from '../ui/compact-button.tsx'
import { Toggles, TOOLBAR_CONTROL } from '../ui/toolbar.tsx'

/** The range of the figures. Kept in the URL. Without days, the server chooses the last four weeks. */
export type Range = { from?: string; to?: string; by: 'day' | 'week' }

const DAY_PATTERN = /^\d{4}-\d\d-\d\d$/

export function useRange(): { range: Range; changeRange: (range: Range) => void } {
  const { pathname } = useLocation()
  const [from, to] = [useParam('from'), useParam('to')]
  const range: Range = {
    by: useParam('by') === 'week' ? 'week' : 'day',
    ...(DAY_PATTERN.test(from) ? { from } : {}),
    ...(DAY_PATTERN.test(to) ? { to } : {}),
  }
  return { range, changeRange: (next) => navigate(withQuery(pathname, next)) }
}

type RangeBarProps = { range: Range; insights: Insights | undefined; onRange: (range: Range) => void }

const RANGES = new Map([7, 28, 90, 365].map((days) => [days, INSIGHTS.lastDays({ days })]))
/** The bars of more days would be too thin. */
const MAX_DAILY_BARS = 100
const DAY_MS = 24 * 3_600 * 1_000
const dayOf = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10)

export function RangeBar({ range, insights, onRange }: RangeBarProps) {
  // The URL comes first, because the server extends its range to whole weeks if `by` is `week`.
  const { from = insights?.from, to = insights?.to } = range
  const days = from && to ? (Date.parse(to) - Date.parse(from)) / DAY_MS + 1 : undefined
  const showLast = (dayCount: number) => {
    const now = Date.now()
    const firstDay = dayOf(now - (dayCount - 1) * DAY_MS)
    onRange({ from: firstDay, to: dayOf(now), by: dayCount > MAX_DAILY_BARS ? 'week' : range.by })
  }
  return (
    <div className="mt-4 flex flex-wrap items-end justify-between gap-x-8 gap-y-3 border-y border-hairline py-3 text-sm">
      <Toggles label={INSIGHTS.range} options={RANGES} value={days} onToggle={showLast} />
      <Days key={`${range.from} ${range.to}`} range={range} insights={insights} onRange={onRange} />
      <Toggles
        label={INSIGHTS.by}
        options={INSIGHTS.periods}
        value={range.by}
        onToggle={(by) => onRange({ ...range, by })}
      />
    </div>
  )
}

function Days({ range, insights, onRange }: RangeBarProps) {
  return (
    <Form
      onValues={({ from = '', to = '' }) => onRange({ from, to, by: range.by })}
      className="flex flex-wrap items-end gap-2"
    >
      {(['from', 'to'] as const).map((name) => (
        <label key={name} className="grid gap-1">
          <span className="label">{INSIGHTS[name]}</span>
          <input
            type="date"
            name={name}
            required
            defaultValue={range[name] ?? insights?.[name]}
            className={`figures ${TOOLBAR_CONTROL}`}
          />
        </label>
      ))}
      <CompactButton type="submit">{INSIGHTS.apply}</CompactButton>
    </Form>
  )
}
