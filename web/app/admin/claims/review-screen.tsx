import { useQuery } from '@tanstack/react-query'
import { listSubmissions } from '#contract/claims/claims.ts'
import { DASHBOARD } from '#messages/dashboard-frame.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { call } from '#web/features/api/call.ts'
import { PageNumbers } from '#web/ui/pagination.tsx'
import { useRedirectToLastPage, usePage } from '../../use-page.ts'
import { DashboardScreen, mayBeAdministrator } from '../dashboard-screen.tsx'
import { ReviewBar } from './review-bar.tsx'
import { rowOfClaim, rowOfSubmitter } from './review-row.ts'
import { ReviewQueue } from './review-queue.tsx'
import { PAGE_SIZE } from './table/submissions-table.tsx'
import { SUBMISSIONS_QUERY, useQueue, useSummary, useView } from './use-queue.ts'
import { useReviewUpdates } from './use-review-updates.ts'

/** The review screen of the admin dashboard: all submitters, or a filtered list of claims. */
export default function ReviewScreen() {
  const { view, changeView } = useView()
  const isUnfiltered = view.name === 'all'
  const canReview = mayBeAdministrator()
  const submissions = useSubmissions(canReview && isUnfiltered)
  const queue = useQueue(view, canReview && !isUnfiltered)
  const summary = useSummary(canReview)
  useReviewUpdates(canReview)

  const list = isUnfiltered ? submissions : queue
  const { pagination } = submissions.data ?? {}
  return (
    <DashboardScreen route={DASHBOARD_ROUTES.claims} error={list.error}>
      <div className="mt-6 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h1 className="text-2xl">{DASHBOARD.title}</h1>
        {isUnfiltered && pagination && (
          <p className="figures text-sm text-ink-soft">{DASHBOARD.count({ count: pagination.totalItems })}</p>
        )}
      </div>
      <ReviewBar view={view} summary={summary.data?.data} onView={changeView} />
      {isUnfiltered ? (
        <ReviewQueue
          rows={submissions.data?.data.map(rowOfSubmitter) ?? []}
          list={submissions}
          firstNumber={(submissions.page - 1) * PAGE_SIZE + 1}
        />
      ) : (
        <ReviewQueue
          // Another list begins without a selection and without an open card.
          key={JSON.stringify(view)}
          rows={queue.data?.pages.flatMap(({ data }) => data.map(rowOfClaim)) ?? []}
          list={queue}
          firstNumber={1}
          isSearchCut={queue.data?.pages.some((page) => page.isSearchCut)}
          onMore={queue.hasNextPage ? () => void queue.fetchNextPage() : undefined}
          onAll={() => changeView({ name: 'all' })}
        />
      )}
      {isUnfiltered && pagination && (
        <div className="mt-6">
          <PageNumbers
            words={DASHBOARD.pages}
            current={pagination.currentPage}
            total={pagination.totalPages}
            onPage={submissions.goToPage}
          />
        </div>
      )}
    </DashboardScreen>
  )
}

/** All submitters, in the order of their first claims. `call` logs failures. */
function useSubmissions(enabled: boolean) {
  const { page, goToPage } = usePage()
  const list = useQuery({
    queryKey: [...SUBMISSIONS_QUERY, page],
    queryFn: () => call(listSubmissions, { query: { page: String(page), limit: String(PAGE_SIZE) } }),
    enabled,
  })
  useRedirectToLastPage(enabled ? list.data?.pagination : undefined)
  return { ...list, page, goToPage }
}
