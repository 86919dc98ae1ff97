import { sql } from 'kysely'
import campaign from '#server/testing/campaign.ts'
import { readBoard } from '#server/domain/leaderboard/read-board.ts'
import type { Database } from '#server/platform/database/database.ts'
import { compactBoardCounts } from '#server/domain/ledger/board.ts'
import type { Report } from './report.ts'
import { time, type Times } from './stopwatch.ts'
import { withDatabase } from './temporary-database.ts'

const PEOPLE = 200_000
const LIMIT = 10
const PAGES = PEOPLE / LIMIT

/** Measures whether the last page of the leaderboard costs as little as the first. */
export function board(): Promise<Report> {
  return withDatabase(async ({ db, prepare }) => {
    await prepare(...PARTICIPANTS_WITH_POINTS)
    await compactBoardCounts(db)
    await prepare('vacuum analyze')
    const page = (number: number) => () => readBoard(db, campaign.id, { page: number, limit: LIMIT })
    const buckets = { first: await time(100, page(1)), last: await time(100, page(PAGES)) }
    const offset = { first: await time(50, byOffset(db, 1)), last: await time(10, byOffset(db, PAGES)) }
    const row = (method: string, { first, last }: { first: Times; last: Times }) => ({
      method,
      'first page, ms': first.median,
      'p95 ': first.p95,
      'last page, ms': last.median,
      p95: last.p95,
      'last : first': last.median / first.median,
    })
    const { rows: counted } = await sql<{ buckets: number }>`
      select count(*) as buckets from standings_counts`.execute(db)
    return {
      title: `One page of a leaderboard of ${PEOPLE.toLocaleString('en')} participants`,
      rows: [row('buckets, with ranks and the number of pages', buckets), row('OFFSET, rows only', offset)],
      notes: [
        `The leaderboard has ${(counted[0]?.buckets ?? 0).toLocaleString('en')} buckets, whose sizes every read sums up.`,
        'Medians. OFFSET computes neither ranks nor the number of participants, which flatters it.',
      ],
    }
  })
}

/**
 * A realistic distribution: six in ten have no points, the others are approved, and one in six has referral rewards,
 * exponentially distributed up to fifty. Participants and buckets are created in chronological order.
 */
const PARTICIPANTS_WITH_POINTS = [
  'select setseed(0.369)',
  `insert into campaigns values ('${campaign.id}', ${PEOPLE})`,
  `insert into users (id, username, email, email_key, canonical_email, password_hash, referral_code)
    select gen_random_uuid(), 'person' || n, n || '@bench.example', n || '@bench.example', n || '@bench.example', '', 'B' || n
    from generate_series(1, ${PEOPLE}) n`,
  `insert into standings (campaign_id, user_id, pf, pls, referral)
    select '${campaign.id}', id, p, p, case when random() < 1 / 6.0 then 1000 * least(50, ceil(-4 * ln(1 - random()))) else 0 end
    from (select id, case when random() < 0.4 then 20000 else 0 end as p from users) x`,
]

function byOffset(db: Database, page: number): () => Promise<unknown> {
  return () =>
    sql`select u.username, u.email, s.pf, s.pls, s.referral, s.total
      from standings s join users u on u.id = s.user_id
      where s.campaign_id = ${campaign.id} and s.listed
      order by s.rank_key, s.reached offset ${(page - 1) * LIMIT} limit ${LIMIT}`.execute(db)
}
