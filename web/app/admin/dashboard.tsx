import { useQuery } from '@tanstack/react-query'
import { listSubmissions } from '#contract/tasks.ts'
import { DASHBOARD } from '#web/content/dashboard.ts'
import { ApiError, isDead } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { SendBack } from '#web/features/session/send-back.tsx'
import { isLoggedIn, sessionUser } from '#web/features/session/session.ts'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Button } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { PageNumbers } from '#web/ui/pagination.tsx'
import { MainRegion } from '../main-region.tsx'
import { SubmissionsTable } from './submissions-table.tsx'
import { ScreenLink } from '../screen-link.tsx'
import { usePage } from '../use-page.ts'

const PAGE_SIZE = 20

export default function Dashboard() {
  const { page, turnTo } = usePage()
  const mayTry = isLoggedIn() && sessionUser()?.role !== 'user'
  // A failed load is only logged, which the call does.
  const list = useQuery({
    queryKey: ['submissions', page],
    queryFn: () => call(listSubmissions, { query: { page: String(page), limit: String(PAGE_SIZE) } }),
    enabled: mayTry,
  })

  if (!isLoggedIn() || isDead(list.error)) return <SendBack to={ROUTES.login.path} />
  if (!mayTry || isForbidden(list.error)) return <SendBack to={ROUTES.profile.path} />
  const { data, pagination } = list.data ?? {}
  return (
    <MainRegion route={ROUTES.dashboard} className="page pt-8">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h1 className="text-2xl">{DASHBOARD.title}</h1>
        {pagination && (
          <p className="figures text-sm text-ink-soft">{DASHBOARD.count(pagination.totalItems)}</p>
        )}
      </div>
      <div className="mt-5" aria-busy={list.isFetching}>
        {data?.length === 0 ? (
          <Nothing />
        ) : (
          <SubmissionsTable
            users={data}
            loading={list.isPending}
            rows={PAGE_SIZE}
            firstNumber={(page - 1) * PAGE_SIZE + 1}
          />
        )}
      </div>
      {list.isError && (
        <Button variant="secondary" className="mt-4" onClick={() => void list.refetch()}>
          {DASHBOARD.again}
        </Button>
      )}
      {pagination && (
        <div className="mt-6">
          <PageNumbers
            words={DASHBOARD.pages}
            current={pagination.currentPage}
            total={pagination.totalPages}
            onPage={turnTo}
          />
        </div>
      )}
    </MainRegion>
  )
}

function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403
}

function Nothing() {
  return (
    <Empty
      pose="asleep"
      text={DASHBOARD.empty}
      wayOn={
        <ScreenLink href={ROUTES.airdrop.path} className={buttonStyle('secondary')}>
          {DASHBOARD.emptyWayOn}
        </ScreenLink>
      }
    />
  )
}
