import { useId, type SubmitEvent } from 'react'
import type { reviewSummary } from '#contract/dashboard/review.ts'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import { REVIEW_WORDS } from '#messages/dashboard-review.js'
import { formatInteger } from '#web/ui/format.ts'
import { AgoIn } from '#web/features/time/time.tsx'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import type { View, ViewName } from './use-view.ts'

type Summary = ReplyOf<typeof reviewSummary>['data']
type Show = (changes: Partial<View>) => void

/** Filters and search above the list, with the number of claims and the age of the oldest. */
export function ReviewBar({ view, summary, show }: { view: View; summary: Summary | undefined; show: Show }) {
  return (
    <div className="mt-4 grid grid-cols-1 gap-3 border-y border-hairline py-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <Views current={view.name} summary={summary} show={show} />
        <p className="text-ink-soft">
          {summary?.oldestWaitingSince ? (
            <AgoIn
              message={REVIEW_WORDS.oldest}
              at={summary.oldestWaitingSince}
              className="font-semibold text-ink"
            />
          ) : (
            summary && REVIEW_WORDS.nobodyWaits
          )}
        </p>
      </div>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        <Search key={view.search} view={view} show={show} />
        <Choice
          label={REVIEW_WORDS.risk}
          value={view.risk}
          options={{ '': REVIEW_WORDS.anyRisk, ...REVIEW_WORDS.risks }}
          onChoice={(risk) => show({ risk })}
        />
        <Choice
          label={REVIEW_WORDS.sort}
          value={view.sort}
          options={REVIEW_WORDS.sorts}
          onChoice={(sort) => show({ sort })}
        />
      </div>
    </div>
  )
}

function Views({ current, summary, show }: { current: ViewName; summary: Summary | undefined; show: Show }) {
  return (
    <div role="group" aria-label={REVIEW_WORDS.views} className="-mx-1 flex flex-wrap gap-1">
      {(Object.keys(REVIEW_WORDS.view) as ViewName[]).map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === current}
          onClick={() => show({ name, ...(name === 'all' && { search: '', risk: '', sort: 'age' }) })}
          className={classes(
            'inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-sm px-3 font-semibold lg:min-h-8',
            name === current ? 'bg-ink text-paper' : 'hover:bg-ink/5',
          )}
        >
          {REVIEW_WORDS.view[name]}
          {name !== 'all' && summary && (
            <span className="figures text-xs font-medium">{formatInteger(summary[name])}</span>
          )}
        </button>
      ))}
    </div>
  )
}

function Search({ view, show }: { view: View; show: Show }) {
  const id = useId()
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const value = new FormData(event.currentTarget).get('search')
    show({ search: typeof value === 'string' ? value.trim() : '' })
  }
  return (
    <form role="search" onSubmit={submit} className="grid min-w-60 grow grid-cols-1 gap-1 sm:max-w-md">
      <label htmlFor={id} className="label">
        {REVIEW_WORDS.searchHint}
      </label>
      <span className="flex gap-2">
        <input
          id={id}
          type="search"
          name="search"
          defaultValue={view.search}
          minLength={2}
          maxLength={320}
          className={`min-w-0 grow ${CONTROL}`}
        />
        <Button type="submit" variant="secondary" size="compact">
          {REVIEW_WORDS.search}
        </Button>
      </span>
    </form>
  )
}

type ChoiceProps<T extends string> = {
  label: string
  value: T
  options: Readonly<Record<T, string>>
  onChoice: (value: T) => void
}

function Choice<T extends string>({ label, value, options, onChoice }: ChoiceProps<T>) {
  const id = useId()
  return (
    <span className="grid gap-1">
      <label htmlFor={id} className="label">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onChoice(target.value as T)}
        className={CONTROL}
      >
        {(Object.entries(options) as [T, string][]).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    </span>
  )
}

const CONTROL = 'min-h-11 rounded-sm border border-outline bg-paper px-2.5 hover:border-ink lg:min-h-8'
