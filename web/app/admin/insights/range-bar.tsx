import { useId, type SubmitEvent } from 'react'
import type { Insights } from '#contract/dashboard/insights.ts'
import { INSIGHTS } from '#messages/dashboard-insights.js'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import type { Range } from './use-insights.ts'

type RangeBarProps = { range: Range; insights: Insights | undefined; show: (range: Range) => void }

const LENGTHS = [7, 28, 90, 365] as const
const DAY_MS = 24 * 3600 * 1000
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** The range of days, and whether figures are by day or week. */
export function RangeBar({ range, insights, show }: RangeBarProps) {
  const days = insights ? (Date.parse(insights.to) - Date.parse(insights.from)) / DAY_MS + 1 : undefined
  const lastDays = (count: number) => {
    const today = Date.now()
    show({ from: dayOf(today - (count - 1) * DAY_MS), to: dayOf(today), by: count > 100 ? 'week' : range.by })
  }
  return (
    <div className="mt-4 flex flex-wrap items-end justify-between gap-x-8 gap-y-3 border-y border-hairline py-3 text-sm">
      <div role="group" aria-label={INSIGHTS.range} className="-mx-1 flex flex-wrap gap-1">
        {LENGTHS.map((count) => (
          <Toggle key={count} isOn={days === count && range.by === 'day'} onClick={() => lastDays(count)}>
            {INSIGHTS.lastDays({ days: count })}
          </Toggle>
        ))}
      </div>
      <Days key={`${insights?.from} ${insights?.to}`} range={range} insights={insights} show={show} />
      <div role="group" aria-label={INSIGHTS.by} className="-mx-1 flex gap-1">
        {(['day', 'week'] as const).map((by) => (
          <Toggle key={by} isOn={range.by === by} onClick={() => show({ ...range, by })}>
            {INSIGHTS.periods[by]}
          </Toggle>
        ))}
      </div>
    </div>
  )
}

type ToggleProps = { isOn: boolean; onClick: () => void; children: string }

const Toggle = ({ isOn, onClick, children }: ToggleProps) => (
  <button
    type="button"
    aria-pressed={isOn}
    onClick={onClick}
    className={classes(
      'inline-flex min-h-11 min-w-11 items-center justify-center rounded-sm px-3 font-semibold lg:min-h-8',
      isOn ? 'bg-ink text-paper' : 'hover:bg-ink/5',
    )}
  >
    {children}
  </button>
)

function Days({ range, insights, show }: RangeBarProps) {
  const from = useId()
  const to = useId()
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const values = new FormData(event.currentTarget)
    const dayIn = (name: string) => {
      const value = values.get(name)
      return typeof value === 'string' ? value : ''
    }
    show({ from: dayIn('from'), to: dayIn('to'), by: range.by })
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <span className="grid gap-1">
        <label htmlFor={from} className="label">
          {INSIGHTS.from}
        </label>
        <input id={from} type="date" name="from" required defaultValue={insights?.from} className={CONTROL} />
      </span>
      <span className="grid gap-1">
        <label htmlFor={to} className="label">
          {INSIGHTS.to}
        </label>
        <input id={to} type="date" name="to" required defaultValue={insights?.to} className={CONTROL} />
      </span>
      <Button type="submit" variant="secondary" size="compact">
        {INSIGHTS.apply}
      </Button>
    </form>
  )
}

const CONTROL =
  'figures min-h-11 rounded-sm border border-outline bg-paper px-2.5 hover:border-ink lg:min-h-8'
