import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'
import { linkAccounts } from './link-accounts.ts'

/** Erases an account's networks and its links to others, whose clusters are rebuilt without it. */
export async function eraseSignals(tx: Tx, userId: string): Promise<void> {
  // Uses the index network_visits_pkey, once for each campaign.
  await sql`
    delete from network_visits v using campaigns c
    where v.campaign_id = c.id and v.user_id = ${userId}`.execute(tx)
  const { rows } = await sql<{ campaign_id: string }>`
    select k.campaign_id from campaigns c join clusters k on k.campaign_id = c.id and k.user_id = ${userId}
    order by k.campaign_id`.execute(tx)
  for (const { campaign_id: campaignId } of rows) {
    await linkAccounts(tx, { campaignId, userId, signals: [] })
    await tx
      .deleteFrom('clusters')
      .where('campaign_id', '=', campaignId)
      .where('user_id', '=', userId)
      .execute()
  }
}
