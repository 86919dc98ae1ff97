import { sql } from 'kysely'
import type { CampaignLife } from '#contract/dashboard/campaign-life.ts'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'
import { countClaims } from '../claims/claim-counts.ts'
import { readRecord } from './list-campaigns.ts'
import { readState } from './read-campaign.ts'
import { readResults } from './read-results.ts'

/** The campaign as administrators see it, counted now. */
export async function readLife({ db, campaign }: Pick<Deps, 'db' | 'campaign'>): Promise<CampaignLife> {
  const { paused } = await readState(db, campaign)
  return {
    ...(await readRecord(db, campaign.id, { campaign, readResults })),
    paused,
    ...(await countWaiting(db, campaign.id)),
  }
}

type Waiting = Pick<CampaignLife, 'undecided' | 'appeals' | 'waiting' | 'held'>

async function countWaiting(db: Database, campaignId: string): Promise<Waiting> {
  const { rows } = await sql<Waiting>`
    select ${countClaims(campaignId, sql`not is_decided`)} as undecided,
      (select count(*) from appeals where campaign_id = ${campaignId} and answered_at is null) as appeals,
      (select count(*) from waiting_list where campaign_id = ${campaignId}) as waiting,
      (select count(*) from slots where campaign_id = ${campaignId} and until is not null) as held`.execute(
    db,
  )
  const [counts] = rows
  if (!counts) throw new Error('count returned no row')
  return counts
}
