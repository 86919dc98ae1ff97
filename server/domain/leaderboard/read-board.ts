import { type RawBuilder, sql } from 'kysely'
import type { Pagination } from '#contract/entities.ts'
import type { Entry } from '#contract/leaderboard.ts'
import type { Database } from '#server/platform/database/database.ts'
import { maskEmail } from '#server/platform/mask-email.ts'

type Page = { page: number; limit: number }

/** A page of the leaderboard; empty beyond the last one. */
export async function readBoard(
  db: Database,
  campaignId: string,
  { page, limit }: Page,
): Promise<{ data: Entry[]; pagination: Pagination }> {
  const { rows } = await pageQuery(campaignId, { page, limit }).execute(db)
  const total = rows[0]?.total ?? 0
  return {
    data: rows.flatMap((row, index) => asEntry(row, (page - 1) * limit + index + 1)),
    pagination: { currentPage: page, totalPages: Math.max(1, Math.ceil(total / limit)), totalItems: total },
  }
}

/**
 * Finds the bucket in which the page begins from the counts of all buckets (a few thousand rows for a million
 * participants), then skips at most one bucket of standings_order: every page costs the same. One statement, so that
 * counts and standings are consistent.
 */
export function pageQuery(campaignId: string, { page, limit }: Page): RawBuilder<Row> {
  const skip = (page - 1) * limit
  return sql`
    with buckets as (
      select rank_key, bucket, sum(people) as people from standings_counts
      where campaign_id = ${campaignId} group by rank_key, bucket having sum(people) > 0),
    counted as (
      select rank_key, bucket, sum(people) over (order by rank_key, bucket) as upto,
        people, sum(people) over () as total from buckets),
    start as (
      select rank_key, bucket << 10 as reached, (upto - people)::int8 as before from counted
      where upto > ${skip} order by upto limit 1)
    select (select max(total)::int8 from counted) as total, s.*
    from (select 1) one left join lateral (
      select u.username, u.email, p.pf, p.pls, p.referral, p.total as points
      from start b, lateral (
        select * from standings where campaign_id = ${campaignId} and listed
          and (rank_key, reached) >= (b.rank_key, b.reached)
        order by rank_key, reached offset ${skip}::int8 - b.before limit ${limit}) p
      join users u on u.id = p.user_id
      order by p.rank_key, p.reached) s on true`
}

type Row = { total: number | null } & (
  | { username: null }
  | { username: string; email: string; pf: number; pls: number; referral: number; points: number }
)

function asEntry(row: Row, rank: number): Entry[] {
  if (row.username === null) return []
  const { username, email, pf, pls, referral, points } = row
  return [
    {
      rank,
      username,
      email: maskEmail(email),
      pfPoints: pf,
      plsPoints: pls,
      referralReward: referral,
      totalPoints: points,
    },
  ]
}
