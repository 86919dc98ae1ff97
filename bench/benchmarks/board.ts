import { sql } from 'kysely'
import campaign from '#server/testing/campaign.ts'
import { readBoard, readRank } from '#server/domain/leaderboard/read-board.ts'
import { compactBoardCounts } from '#server/domain/ledger/board.ts'
import type { Database } from '#server/platform/database/database.ts'
import { growthRow, type Options, type Report, type Row, SEED, shortNumber, sizesOf } from '../report.ts'
import { quantile, timesInTurn } from '../stopwatch.ts'
import { type TemporaryDatabase, withDatabase } from '../temporary-database.ts'

const PAGE_SIZE = 10
const ROUNDS = 300
/** Fewer, because reading the last page by OFFSET takes seconds. */
const SLOW_ROUNDS = 10
/** Standings that change, at a launch, between two compactions of the counts by which pages are found. */
const CHANGES = 1_000

/**
 * Measures whether every page of the leaderboard and every rank cost as much as the first page, at any size.
 * Nothing is cached. Takes about five minutes, mostly to fill the leaderboards.
 */
export async function board(options: Options): Promise<Report[]> {
  return withBoards(sizesOf(options), [], async (boards) => [await pages(boards), await growth(boards)])
}

type Board = TemporaryDatabase & { people: number; ids: string[] }

/**
 * Opens a database for each size. All stay open, so that they can be measured in turn.
 * @param boards those that are open already
 */
function withBoards<T>(
  [people, ...others]: readonly number[],
  boards: readonly Board[],
  use: (boards: readonly Board[]) => Promise<T>,
): Promise<T> {
  if (people === undefined) return use(boards)
  return withDatabase(async (database) => {
    await database.runAsOwner(...participantsWithPoints(people))
    await compactBoardCounts(database.db)
    await database.runAsOwner('vacuum analyze')
    return withBoards(others, [...boards, { ...database, people, ids: await pickIds(database.db) }], use)
  })
}

/**
 * Inserts participants with a realistic distribution of points. Four in ten are approved, for 20,000 points
 * of each kind. One in six has referral rewards of 1,000 points, at most 50, whose number is exponentially
 * distributed. Participants get their points in random order, after everyone has joined; `reached` orders
 * those with equal points, and has gaps.
 */
export const participantsWithPoints = (people: number) => [
  `select setseed(${SEED / 1_000})`,
  `insert into campaigns (id, slots_total) values ('${campaign.id}', ${people})`,
  participants(people),
  `insert into standings (campaign_id, user_id, pf, pls, referral, reached)
    select '${campaign.id}', id, points, points, reward,
      case when points + reward > 0 then ${people} + 3 * row_number() over (order by random()) else row_number() over () end
    from (select id, case when random() < 0.4 then 20000 else 0 end as points,
        case when random() < 1 / 6.0 then 1000 * least(50, ceil(-4 * ln(1 - random()))) else 0 end as reward
      from users) person`,
  `select setval('standings_reached', (select max(reached) from standings))`,
]

/** Inserts `count` participants with ascending ids, like the product. */
export const participants = (count: number) => `
  insert into users (id, username, email, email_key, canonical_email, password_hash, referral_code)
    select uuidv7(), 'person' || n, n || '@bench.example', n || '@bench.example', n || '@bench.example', '', 'B' || n
    from generate_series(1, ${count}) n`

/** Picks participants from all over the leaderboard. */
async function pickIds(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select user_id as id from standings order by hashtext(user_id::text) limit ${ROUNDS}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Reads `page` in the first round, and one page nearer to the first in each later round. */
const pageOf =
  ({ db }: Board, page: number) =>
  (round: number) =>
    readBoard(db, campaign.id, { page: Math.max(1, page - round), limit: PAGE_SIZE })
const firstPageOf = (each: Board) => pageOf(each, 1)
const rankOf =
  ({ db, ids }: Board) =>
  (round: number) =>
    readRank(db, campaign.id, ids[round % ids.length] ?? '')

async function pages(boards: readonly Board[]): Promise<Report> {
  const largest = boards.at(-1)
  if (!largest) throw new Error('There are no sizes.')
  const lastPage = largest.people / PAGE_SIZE
  const places = [lastPage / 100, lastPage / 2, lastPage - 1].map(
    (page) => [`page ${page.toLocaleString('en')}`, pageOf(largest, page)] as const,
  )
  const reads = { 'page 1': firstPageOf(largest), ...Object.fromEntries(places), 'a rank': rankOf(largest) }

  const times = await timesInTurn(ROUNDS, reads)
  const rows = Object.entries(times).map(([what, ms]) => row(what, ms, times['page 1'] ?? ms))

  await changeStandings(largest)
  const changed = await timesInTurn(ROUNDS, {
    first: firstPageOf(largest),
    middle: pageOf(largest, lastPage / 2),
  })

  const offset = await timesInTurn(SLOW_ROUNDS, { last: () => readByOffset(largest, lastPage) })
  return {
    title: `Pages of a leaderboard of ${largest.people.toLocaleString('en')} participants`,
    rows: [
      ...rows,
      row(
        `page ${(lastPage / 2).toLocaleString('en')}, ${CHANGES} changes waiting`,
        changed.middle,
        changed.first,
      ),
      { what: 'the last page by OFFSET', 'p50, ms': quantile(offset.last, 0.5) },
    ],
    notes: [
      'Sequential reads that alternate between the pages; each page is read once. Ratios are to page 1 in the same state.',
      'OFFSET computes neither ranks nor the number of participants, which makes it look better than it is.',
    ],
  }
}

const row = (what: string, times: readonly number[], timesOfFirst: readonly number[]): Row => ({
  what,
  'p50, ms': quantile(times, 0.5),
  'p99, ms': quantile(times, 0.99),
  ...(what !== 'page 1' && {
    'p50 : page 1': {
      value: quantile(times, 0.5) / quantile(timesOfFirst, 0.5),
      mark: { atMost: what === 'a rank' ? 1.5 : 1.2 },
    },
    'p99 : page 1': { value: quantile(times, 0.99) / quantile(timesOfFirst, 0.99), mark: { atMost: 2 } },
  }),
})

async function growth(boards: readonly Board[]): Promise<Report> {
  const readers = {
    'the first page': firstPageOf,
    'a page in the middle': (each: Board) => pageOf(each, each.people / PAGE_SIZE / 2),
    'the last pages': (each: Board) => pageOf(each, each.people / PAGE_SIZE),
    'a rank': rankOf,
  }
  const rows: Row[] = []
  for (const [what, readOf] of Object.entries(readers)) {
    const reads = Object.fromEntries(boards.map((each) => [shortNumber(each.people), readOf(each)]))
    const times = Object.values(await timesInTurn(ROUNDS, reads))
    const figures = boards.map(({ people }, index) => [people, quantile(times[index] ?? [], 0.5)] as const)
    rows.push(growthRow(what, figures))
  }
  return {
    title: 'Leaderboards of several sizes, p50 in ms',
    rows,
    notes: ['Reads that alternate between the boards.'],
  }
}

async function changeStandings({ runAsOwner }: Board): Promise<void> {
  await runAsOwner(`update standings set pls = pls + 1000, reached = nextval('standings_reached')
    where user_id in (select user_id from standings order by hashtext(user_id::text) limit ${CHANGES})`)
}

/** Reads a page by OFFSET. As the owner, because it may take longer than the time limit of requests. */
function readByOffset({ runAsOwner }: Board, page: number): Promise<void> {
  return runAsOwner(`select u.username, u.email, s.pf, s.pls, s.referral, s.total
    from standings s join users u on u.id = s.user_id
    where s.campaign_id = '${campaign.id}' and s.listed
    order by s.rank_key, s.reached offset ${(page - 1) * PAGE_SIZE} limit ${PAGE_SIZE}`)
}
