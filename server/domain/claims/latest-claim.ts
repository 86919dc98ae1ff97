import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database, Tx } from '#server/platform/database/database.ts'
import type { Claims } from '#server/platform/database/database.types.ts'

type Value = string | RawBuilder<unknown>

/** Subquery for a participant's latest attempt in a campaign. Takes values, or columns for a lateral join. */
export const latestClaim = (campaignId: Value, userId: Value): RawBuilder<Selectable<Claims>> =>
  sql`(select * from claims where campaign_id = ${campaignId} and user_id = ${userId} order by attempt desc limit 1)`

export async function hasApprovedClaim(
  db: Database | Tx,
  campaignId: string,
  userId: string,
): Promise<boolean> {
  const approved = await db
    .selectFrom('claims')
    .select('id')
    .where('campaign_id', '=', campaignId)
    .where('user_id', '=', userId)
    .where('status', '=', 'approved')
    .executeTakeFirst()
  return approved !== undefined
}

type Attempt = Pick<Selectable<Claims>, 'campaign_id' | 'user_id' | 'attempt'>

/** Whether a corrected claim has replaced this one. */
export async function isSuperseded(tx: Tx, { campaign_id, user_id, attempt }: Attempt): Promise<boolean> {
  const newer = await tx
    .selectFrom('claims')
    .select('id')
    .where('campaign_id', '=', campaign_id)
    .where('user_id', '=', user_id)
    .where('attempt', '>', attempt)
    .executeTakeFirst()
  return newer !== undefined
}
