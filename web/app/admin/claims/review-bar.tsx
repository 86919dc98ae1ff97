import type { reviewSummary } from '#contract/dashboard/review.ts'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import { MIN_SEARCH_LENGTH } from '#contract/protocol/parameters.ts'
import { REVIEW_WORDS } from '#messages/dashboard-review.js'
import { formatInteger } from '#web/ui/format.ts'
import { AgoIn } from '#web/features/time/time.tsx'
import { Choice, SearchForm, Toggles } from '../toolbar.tsx'
import type { View, ViewName } from './use-queue.ts'

type Summary = ReplyOf<typeof reviewSummary>['data']
type ReviewBarProps = { view: View; summary: Summary | undefined; onView: (changes: Partial<View>) => void }

/** Filters and search above the list, with the number of claims and the age of the oldest. */
export function ReviewBar({ view, summary, onView }: ReviewBarProps) {
  return (
    <div className="mt-4 grid grid-cols-1 gap-3 border-y border-hairline py-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <Toggles
          label={REVIEW_WORDS.views}
          options={Object.keys(REVIEW_WORDS.view) as ViewName[]}
          isOn={(name) => name === view.name}
          onToggle={(name) => onView({ name })}
        >
          {(name) => (
            <>
              {REVIEW_WORDS.view[name]}
              {name !== 'all' && summary && (
                <span className="figures text-xs font-medium">{formatInteger(summary[name])}</span>
              )}
            </>
          )}
        </Toggles>
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
        <SearchForm
          key={view.search}
          label={REVIEW_WORDS.searchHint}
          button={REVIEW_WORDS.search}
          value={view.search}
          onSearch={(search) => onView({ search })}
          minLength={MIN_SEARCH_LENGTH}
          className="min-w-60 sm:max-w-md"
        />
        <Choice
          label={REVIEW_WORDS.risk}
          value={view.risk}
          options={{ '': REVIEW_WORDS.anyRisk, ...REVIEW_WORDS.risks }}
          onChoice={(risk) => onView({ risk })}
        />
        <Choice
          label={REVIEW_WORDS.sort}
          value={view.sort}
          options={REVIEW_WORDS.sorts}
          onChoice={(sort) => onView({ sort })}
        />
      </div>
    </div>
  )
}
