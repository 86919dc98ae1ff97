import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'

/** A participant's place on the leaderboard; null when it does not list them. */
export async function readRank(db: Database, campaignId: string, userId: string): Promise<number | null> {
  const { rows } = await rankQuery(campaignId, userId).execute(db)
  return rows[0]?.rank ?? null
}

/**
 * Counts the participants ahead: at each level of standings_counts the buckets beside the participant's, less than 64
 * each below the highest, what changed in them since the compaction, and the standings of their own bucket in
 * standings_order.
 */
const rankQuery = (campaignId: string, userId: string): RawBuilder<{ rank: number }> => sql`
  select 1 + (
    select coalesce(sum(people), 0) from (
      select people from standings_counts c
        where c.campaign_id = ${campaignId} and level = 3 and (c.rank_key, bucket) < (own.rank_key, reached >> 24)
      union all
      select people from generate_series(0, 2) l, lateral (
        select people from standings_counts c
        where c.campaign_id = ${campaignId} and c.level = l and c.rank_key = own.rank_key
          and bucket >= reached >> 6 * (l + 2) << 6 and bucket < reached >> 6 * (l + 1)) beside
      union all
      select people from standings_changes c
        where c.campaign_id = ${campaignId} and (c.rank_key, bucket) < (own.rank_key, reached >> 6)
      union all
      select 1 from standings s
        where s.campaign_id = ${campaignId} and listed and s.rank_key = own.rank_key
          and s.reached >= own.reached >> 6 << 6 and s.reached < own.reached) before) as rank
  from standings own where campaign_id = ${campaignId} and user_id = ${userId} and listed`
