import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'

/** A participant's place on the leaderboard; null when it does not list them. */
export async function readRank(db: Database, campaignId: string, userId: string): Promise<number | null> {
  const { rows } = await rankQuery(campaignId, userId).execute(db)
  return rows[0]?.rank ?? null
}

/**
 * Query for the number of participants ahead, plus one. Finds the participant by standings_pkey; `listed_before` counts
 * those ahead in the tree of counts.
 */
const rankQuery = (campaignId: string, userId: string): RawBuilder<{ rank: number }> => sql`
  select 1 + listed_before(campaign_id, rank_key, reached) as rank
  from standings where campaign_id = ${campaignId} and user_id = ${userId} and listed`
