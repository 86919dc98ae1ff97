import { useQuery } from '@tanstack/react-query'
import { listClaimants } from '#contract/claims/claims.ts'
import type { reviewSummary } from '#contract/dashboard/review.ts'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import { MIN_SEARCH_LENGTH } from '#contract/protocol/parameters.ts'
import { DASHBOARD } from '#messages/dashboard-frame.js'
import { REVIEW_WORDS } from '#messages/dashboard-review.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { call } from '#web/features/api/call.ts'
import { classes } from '#web/ui/classes.ts'
import { PageNumbers } from '#web/ui/pagination/pagination.tsx'
import { formatInteger } from '#web/ui/text/format.ts'
import { AgoIn } from '#web/features/time/time.tsx'
import { useRedirectToLastPage, usePage } from '../../use-page.ts'
import { DashboardScreen } from '../dashboard-screen.tsx'
import { Choice, SearchForm, Toggles } from '../ui/toolbar.tsx'
import { rowOfClaim, rowOfClaimant } from './review-row.ts'
import { ReviewQueue } from './review-queue.tsx'
import { PAGE_SIZE } from './table/claims-table.tsx'
import { isUnfiltered, CLAIMANTS_QUERY, useQueue, useSummary, useView, type View } from './use-queue.ts'
import { useReviewUpdates } from './use-review-updates.ts'

export default function ReviewScreen() {
  const { view, changeView } = useView()
  const isClaimantList = isUnfiltered(view)
  const claimants = useClaimants(isClaimantList)
  const queue = useQueue(view)
  const summary = useSummary()
  useReviewUpdates()

  const list = isClaimantList ? claimants : queue
  const { pagination } = claimants.data ?? {}
  return (
    <DashboardScreen route={DASHBOARD_ROUTES.claims} error={list.error}>
      <div className="mt-6 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h1 className="text-2xl">{DASHBOARD.title}</h1>
        {isClaimantList && (
          <p className={classes('figures text-sm text-ink-soft', OWN_LINE)}>
            {pagination && DASHBOARD.count({ count: pagination.totalItems })}
          </p>
        )}
      </div>
      <ReviewBar view={view} summary={summary.data} onView={changeView} />
      {isClaimantList ? (
        <ReviewQueue
          rows={claimants.data?.data.map(rowOfClaimant) ?? []}
          list={claimants}
          firstNumber={(claimants.page - 1) * PAGE_SIZE + 1}
        />
      ) : (
        <ReviewQueue
          // A new key: another list begins without a selection and an open card.
          key={JSON.stringify(view)}
          rows={queue.data?.entries.map(rowOfClaim) ?? []}
          list={queue}
          firstNumber={1}
          isSearchCut={queue.data?.pages.some((page) => page.isSearchCut)}
          onMore={queue.hasNextPage ? () => void queue.fetchNextPage() : undefined}
          onAll={() => changeView({ name: 'all', search: '' })}
        />
      )}
      {isClaimantList && pagination && (
        <div className="mt-6">
          <PageNumbers
            words={DASHBOARD.pages}
            current={pagination.currentPage}
            total={pagination.totalPages}
            onPage={claimants.goToPage}
          />
        </div>
      )}
    </DashboardScreen>
  )
}

/** Has its line on a phone even before its text has loaded, so that nothing below it moves. */
const OWN_LINE = 'min-h-lh max-sm:basis-full'

type Summary = ReplyOf<typeof reviewSummary>['data']
type ReviewBarProps = { view: View; summary: Summary | undefined; onView: (changes: Partial<View>) => void }

function ReviewBar({ view, summary, onView }: ReviewBarProps) {
  return (
    <div className="mt-4 grid grid-cols-1 gap-3 border-y border-hairline py-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <Toggles
          label={REVIEW_WORDS.views}
          options={REVIEW_WORDS.view}
          value={view.name}
          onToggle={(name) => onView({ name })}
        >
          {(name) =>
            name !== 'all' &&
            summary && <span className="figures text-xs font-medium">{formatInteger(summary[name])}</span>
          }
        </Toggles>
        <p className={classes('text-ink-soft', OWN_LINE)}>
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
          className="min-w-[min(15rem,100%)] sm:max-w-md"
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
          options={view.name === 'decided' ? REVIEW_WORDS.sortsOfDecided : REVIEW_WORDS.sorts}
          onChoice={(sort) => onView({ sort })}
        />
      </div>
    </div>
  )
}

/** All participants with a claim, in the order of their first claims. */
function useClaimants(enabled: boolean) {
  const { page, goToPage } = usePage()
  const list = useQuery({
    queryKey: [...CLAIMANTS_QUERY, page],
    queryFn: () => call(listClaimants, { query: { page: String(page), limit: String(PAGE_SIZE) } }),
    enabled,
  })
  useRedirectToLastPage(enabled ? list.data?.pagination : undefined)
  return { ...list, page, goToPage }
}
