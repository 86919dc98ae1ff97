import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toast } from 'react-hot-toast/headless'
import type { Pagination } from '#contract/entities.ts'
import { leaderboard, type LeaderboardEntry } from '#contract/leaderboard.ts'
import { LEADERBOARD } from '#messages/leaderboard.js'
import { messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Button } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { Pager } from '#web/ui/pagination.tsx'
import { MainRegion } from '../main-region.tsx'
import { Podium } from './podium.tsx'
import { RankedTable } from './ranked-table.tsx'
import { ScreenLink } from '../screen-link.tsx'
import { useRedirectToLastPage, usePage } from '../use-page.ts'

const PAGE_SIZE = 10

export default function Leaderboard() {
  const { page, goToPage } = usePage()
  const board = useQuery({
    queryKey: ['leaderboard', page],
    queryFn: () => call(leaderboard, { query: { page: String(page), limit: String(PAGE_SIZE) } }),
    placeholderData: keepPreviousData,
  })
  useRedirectToLastPage(board.data?.pagination)

  useEffect(() => {
    if (board.error) toast.error(messageOf(board.error, LEADERBOARD.failed))
  }, [board.error])

  return (
    <MainRegion route={ROUTES.leaderboard} className="page pt-10 sm:pt-14">
      <header className="grid grid-cols-1 gap-x-8 gap-y-10 lg:min-h-76 lg:grid-cols-12 lg:items-end">
        <div className="lg:col-span-5">
          <h1 className="text-3xl">{LEADERBOARD.title}</h1>
          <p className="mt-3 max-w-[56ch] text-lg text-ink-soft">{LEADERBOARD.lead}</p>
        </div>
        {board.data && hasPodium(board.data) && (
          <div className="lg:col-span-6 lg:col-start-7">
            <Podium entries={board.data.data} />
          </div>
        )}
      </header>
      <div className="mt-8 min-h-96" aria-busy={board.isFetching}>
        {(board.isPending || board.isPlaceholderData) && (
          <p role="status" className="mb-4 flex items-center gap-3 text-ink-soft">
            <Spinner />
            {LEADERBOARD.loading}
          </p>
        )}
        {board.data && (
          <RankedTable
            entries={board.data.data}
            firstRank={(board.data.pagination.currentPage - 1) * PAGE_SIZE + 1}
          />
        )}
        {board.data?.pagination.totalItems === 0 && <EmptyLeaderboard />}
        {board.isError && !board.data && (
          <Button variant="secondary" onClick={() => void board.refetch()}>
            {LEADERBOARD.again}
          </Button>
        )}
      </div>
      {board.data && (
        <div className="mt-6">
          <Pager
            words={LEADERBOARD.pages}
            current={board.data.pagination.currentPage}
            total={board.data.pagination.totalPages}
            onPage={goToPage}
          />
        </div>
      )}
    </MainRegion>
  )
}

const Spinner = () => (
  <span aria-hidden="true" className="size-6 rounded-full border-2 border-hairline border-t-accent turning" />
)

/** The podium needs ranks 1 to 3, all on the first page. */
const hasPodium = ({ data, pagination }: { data: readonly LeaderboardEntry[]; pagination: Pagination }) =>
  pagination.currentPage === 1 && data.length >= 3

function EmptyLeaderboard() {
  return (
    <Empty
      pose="asleep"
      text={LEADERBOARD.noUsers}
      action={
        <ScreenLink href={ROUTES.airdrop.path} className={buttonStyle('secondary')}>
          {LEADERBOARD.noUsersLink}
        </ScreenLink>
      }
    />
  )
}
