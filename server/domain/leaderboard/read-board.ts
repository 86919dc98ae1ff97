import { type RawBuilder, sql } from 'kysely'
import type { leaderboard, LeaderboardEntry } from '#contract/leaderboard.ts'
import type { QueryOf, ReplyOf } from '#contract/protocol/endpoint.ts'
import type { Database } from '#server/platform/database/database.ts'
import { maskEmail } from '#server/platform/log/mask-email.ts'

type Page = QueryOf<typeof leaderboard>

/** A page of the leaderboard. Beyond the last one, a page has no entries. */
export async function readBoard(
  db: Database,
  campaignId: string,
  { page, limit }: Page,
): Promise<ReplyOf<typeof leaderboard>> {
  const { rows } = await pageQuery(campaignId, { page, limit }).execute(db)
  const total = rows[0]?.total ?? 0
  return {
    data: rows.flatMap((row, index) => entriesOf(row, (page - 1) * limit + index + 1)),
    pagination: { currentPage: page, totalPages: Math.max(1, Math.ceil(total / limit)), totalItems: total },
  }
}

/**
 * The SQL function `page_start` finds the bucket in which the page begins, so that fewer than 64 standings
 * are skipped and every page costs the same. The index `standings_order` is by minus the points (`rank_key`),
 * then by when they were `reached`. One statement, so that counts and standings come from one snapshot.
 */
function pageQuery(campaignId: string, { page, limit }: Page): RawBuilder<Row> {
  return sql`
    select start.people as total, s.*
    from page_start(${campaignId}, ${(page - 1) * limit}) start left join lateral (
      select u.username, u.email, p.pf as "pfPoints", p.pls as "plsPoints", p.referral as "referralReward",
        p.total as "totalPoints"
      from (
        select * from standings where campaign_id = ${campaignId} and listed
          and (rank_key, reached) >= (start.rank_key, start.reached)
        order by rank_key, reached offset start.skipped limit ${limit}) p
      join users u on u.id = p.user_id
      order by p.rank_key, p.reached) s on true`
}

/** A page without entries is one row that has only the total. */
type Row = { total: number } & ({ username: null } | Omit<LeaderboardEntry, 'rank'>)

function entriesOf(row: Row, rank: number): LeaderboardEntry[] {
  if (row.username === null) return []
  const { total: _total, ...entry } = row
  return [{ rank, ...entry, email: maskEmail(entry.email) }]
}

/** Uses the index `standings_pkey`. The SQL function `listed_before` adds up the counts of buckets. */
export async function readRank(db: Database, campaignId: string, userId: string): Promise<number | null> {
  const { rows } = await sql<{ rank: number }>`
    select 1 + listed_before(campaign_id, rank_key, reached) as rank
    from standings where campaign_id = ${campaignId} and user_id = ${userId} and listed`.execute(db)
  return rows[0]?.rank ?? null
}
