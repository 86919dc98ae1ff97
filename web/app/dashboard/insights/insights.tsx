import { keepPreviousData } from '@tanstack/react-query'
import { insights, type Insights } from '#contract/dashboard/insights.ts'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { INSIGHTS } from '#messages/dashboard-insights.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { ApiError, messageOf } from '#web/features/api/api-error.ts'
import { useData } from '#web/features/api/use-data.ts'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Empty } from '#web/ui/empty.tsx'
import { LoadError } from '#web/ui/load-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { DashboardScreen } from '../dashboard-screen.tsx'
import { Funnel } from './funnel.tsx'
import { Mail, SlotsAndClusters } from './mail-and-slot-figures.tsx'
import { RangeBar, useRange } from './range-bar.tsx'
import { Review } from './review.tsx'

const POLL_MS = 60_000

export default function InsightsScreen() {
  const { range, changeRange } = useRange()
  const { data, error, isError, isPlaceholderData, refetch } = useData(insights, {
    queryKey: ['insights', range],
    query: range,
    // Shows the previous figures until those of a new range arrive.
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  })
  return (
    <DashboardScreen route={DASHBOARD_ROUTES.insights} error={error}>
      <h1 className="mt-6 text-2xl">{INSIGHTS.title}</h1>
      <p className="mt-1 text-ink-soft">{INSIGHTS.lead}</p>
      <RangeBar range={range} insights={data} onRange={changeRange} />
      {!data && isError && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !isError && <Loading />}
      {data && (
        <div aria-busy={isPlaceholderData} className="mt-8 grid grid-cols-1 gap-14">
          {hasFigures(data) ? (
            <>
              <Funnel insights={data} />
              <Review insights={data} />
              <Mail insights={data} />
              <SlotsAndClusters insights={data} />
            </>
          ) : (
            <NoFigures />
          )}
        </div>
      )}
    </DashboardScreen>
  )
}

const hasFigures = ({ funnel, claimsTotal, mail }: Insights) =>
  claimsTotal > 0 ||
  funnel.some(({ day: _day, ...counts }) => Object.values(counts).some((count) => count > 0)) ||
  mail.some(({ accepted, deferred, failed }) => accepted + deferred + failed > 0)

const NoFigures = () => (
  <Empty pose="asleep" text={INSIGHTS.empty}>
    <a href={ROUTES.home.path} className={buttonStyle('secondary')}>
      {ROUTES.home.name}
    </a>
  </Empty>
)

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isRangeRefused = error instanceof ApiError && error.status === 400
  return (
    <LoadError
      text={
        isRangeRefused
          ? (Object.values(error.fields)[0] ?? messageOf(error, INSIGHTS.failed))
          : INSIGHTS.failed
      }
      retryLabel={DASHBOARD_WORDS.again}
      onRetry={onRetry}
      className="mt-6"
    />
  )
}

function Loading() {
  return (
    <div role="status" aria-label={INSIGHTS.loading} className="mt-8 grid gap-6">
      <Skeleton className="h-8 w-40" />
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {Array.from({ length: 6 }, (_, card) => (
          <Skeleton key={card} className="h-56 w-full" />
        ))}
      </div>
    </div>
  )
}
