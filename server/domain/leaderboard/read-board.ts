import { type RawBuilder, sql } from 'kysely'
import type { Pagination } from '#contract/entities.ts'
import type { Entry } from '#contract/leaderboard.ts'
import type { Database } from '#server/platform/database/database.ts'
import { maskEmail } from '#server/platform/log/mask-email.ts'

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
 * Descends the tree of counts to the bucket of 64 in which the page begins, reading at most 64 counts a level, then
 * skips within that bucket in standings_order: every page costs the same. One statement, so that counts, their
 * changes since the compaction and standings are consistent.
 */
export function pageQuery(campaignId: string, { page, limit }: Page): RawBuilder<Row> {
  const skip = (page - 1) * limit
  return sql`
    with recursive top as materialized (
      select rank_key, bucket, sum(people)::int as people from (
        select rank_key, bucket, people from standings_counts where campaign_id = ${campaignId} and level = ${sql.lit(TOP)}
        union all
        select rank_key, bucket >> ${sql.lit(6 * TOP)}, people from standings_changes where campaign_id = ${campaignId}) counted
      group by rank_key, bucket),
    start (level, rank_key, bucket, before) as (
      (select ${sql.lit(TOP)}, rank_key, bucket, upto - people
        from (select *, sum(people) over (order by rank_key, bucket) as upto from top) counted
        where upto > ${skip} order by rank_key, bucket limit 1)
      union all
      select level - 1, rank_key, child.bucket, child.before
      from start, lateral (
        select bucket, before + upto - people as before
        from (select *, sum(people) over (order by bucket) as upto from (${children(campaignId)}) summed) counted
        where before + upto > ${skip} order by bucket limit 1) child
      where level > 0)
    select (select sum(people) from top) as total, s.*
    from (select 1) one left join lateral (
      select u.username, u.email, p.pf, p.pls, p.referral, p.total as points
      from start b, lateral (
        select * from standings where campaign_id = ${campaignId} and listed
          and (rank_key, reached) >= (b.rank_key, b.bucket << 6)
        order by rank_key, reached offset ${skip} - b.before limit ${limit}) p
      join users u on u.id = p.user_id
      where b.level = 0
      order by p.rank_key, p.reached) s on true`
}

/** The highest level of standings_counts. */
const TOP = 3

/** The counts of the 64 buckets below one of `start`, with what has changed since the compaction. */
const children = (campaignId: string) => sql`
  select bucket, sum(people)::int as people from (
    select c.bucket, c.people from standings_counts c
      where c.campaign_id = ${campaignId} and c.level = start.level - 1 and c.rank_key = start.rank_key
        and c.bucket between start.bucket << 6 and (start.bucket << 6) + 63
    union all
    select c.bucket >> 6 * (start.level - 1), c.people from standings_changes c
      where c.campaign_id = ${campaignId} and c.rank_key = start.rank_key
        and c.bucket between start.bucket << 6 * start.level and (start.bucket + 1 << 6 * start.level) - 1) counted
  group by bucket`

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
