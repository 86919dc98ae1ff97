import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { toast } from 'react-hot-toast/headless'
import type { Pagination } from '#contract/entities.ts'
import { leaderboard, type LeaderboardEntry } from '#contract/leaderboard.ts'
import { LEADERBOARD } from '#messages/leaderboard.js'
import { SHARED_WORDS } from '#messages/shared.js'
import { messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Button } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { Pager } from '#web/ui/pagination/pagination.tsx'
import { formatInteger } from '#web/ui/text/format.ts'
import { classes } from '#web/ui/classes.ts'
import { Mascot, type PipPose } from '#web/ui/pip.tsx'
import { MainRegion } from '../main-region.tsx'
import { ScreenLink } from '../screen-link.tsx'
import { useRedirectToLastPage, usePage } from '../use-page.ts'
import { RankedTable } from './ranked-table.tsx'

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

  const topThree = board.data && hasPodium(board.data) ? board.data.data.slice(0, 3) : undefined
  // The podium's height is reserved, so that the table does not move.
  const mayGetPodium = board.isPending && page === 1
  return (
    <MainRegion route={ROUTES.leaderboard} className="page pt-10 sm:pt-14">
      <header className="grid grid-cols-1 gap-x-8 gap-y-10 lg:grid-cols-12">
        <div className="lg:col-span-5">
          <h1 className="text-3xl">{LEADERBOARD.title}</h1>
          <p className="mt-3 max-w-[56ch] text-lg text-ink-soft">{LEADERBOARD.lead}</p>
        </div>
        {(topThree || mayGetPodium) && (
          <div className="lg:col-span-6 lg:col-start-7">
            <Podium entries={topThree} />
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
        {board.data && <RankedTable entries={board.data.data} />}
        {board.data?.pagination.totalItems === 0 && <EmptyLeaderboard />}
        {board.isError && !board.data && (
          // Not a `LoadError`, which would announce the error again after the toast.
          <div className="grid justify-items-start gap-4">
            <p className="font-semibold">{SHARED_WORDS.partMissing}</p>
            <Button variant="secondary" onClick={() => void board.refetch()}>
              {LEADERBOARD.again}
            </Button>
          </div>
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

/** The podium needs ranks 1 to 3, which are on the first page. */
const hasPodium = ({ data, pagination }: { data: readonly LeaderboardEntry[]; pagination: Pagination }) =>
  pagination.currentPage === 1 && data.length >= 3

/** In reading order. */
const PODIUM_STEPS = [
  { rank: 2, height: 'h-14 sm:h-24', pose: 'standing' },
  { rank: 1, height: 'h-22 sm:h-36', pose: 'waving' },
  { rank: 3, height: 'h-10 sm:h-15', pose: 'standing' },
] as const satisfies readonly { rank: number; height: string; pose: PipPose }[]

/** A no-break space, which is as high as the text that will replace it. */
const BLANK = '\u{a0}'

/**
 * The first three, above the table. Their names are CSS content: decoration, because the table has them.
 * @param props.entries undefined while they load: the podium is pale then, and keeps the table in its place.
 */
function Podium({ entries }: { entries: readonly LeaderboardEntry[] | undefined }) {
  return (
    <div aria-hidden="true" className={classes('grid grid-cols-3 items-end', !entries && 'opacity-15')}>
      {PODIUM_STEPS.map(({ rank, height, pose }) => {
        const isFirst = rank === 1
        return (
          <div key={rank} className="min-w-0 text-center">
            <Mascot pose={pose} className={classes('mx-auto', isFirst ? 'w-16 sm:w-24' : 'w-12 sm:w-18')} />
            <div
              className={classes(
                'relative border-2 border-b-0 border-ink pt-1 sm:pt-2',
                isFirst ? 'rounded-t-sm bg-accent' : 'bg-sheet',
                rank === 2 && 'rounded-ss-sm border-e-0',
                rank === 3 && 'rounded-se-sm border-s-0',
                height,
              )}
            >
              <span
                data-rank={rank}
                className={classes(
                  'block font-display text-xl leading-none! font-extrabold before:content-[attr(data-rank)]',
                  isFirst ? 'pt-1 text-on-accent sm:text-3xl' : 'sm:text-2xl',
                )}
              />
            </div>
          </div>
        )
      })}
      {PODIUM_STEPS.map(({ rank }) => {
        const entry = entries?.[rank - 1]
        return (
          <p
            key={rank}
            data-name={entry?.username ?? BLANK}
            data-total={entry ? formatInteger(entry.totalPoints) : BLANK}
            className="min-w-0 border-t-2 border-ink px-1.5 pt-2.5 pb-3 text-center text-sm font-semibold before:block before:truncate before:[unicode-bidi:plaintext] before:content-[attr(data-name)] after:block after:figures after:text-xs after:text-ink-soft after:content-[attr(data-total)]"
          />
        )
      })}
    </div>
  )
}

function EmptyLeaderboard() {
  return (
    <Empty pose="asleep" text={LEADERBOARD.noUsers}>
      <ScreenLink href={ROUTES.airdrop.path} className={buttonStyle('secondary')}>
        {LEADERBOARD.noUsersLink}
      </ScreenLink>
    </Empty>
  )
}
