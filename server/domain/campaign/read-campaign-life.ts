import { sql } from 'kysely'
import type { CampaignLife } from '#contract/dashboard/campaign-life.ts'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'
import { countUnsettled } from './archive.ts'
import { readRecord } from './list-campaigns.ts'
import { readState } from './read-campaign.ts'
import { readResults } from './read-results.ts'

/** The campaign as administrators see it, with counts of this moment. */
export async function readLife({ db, campaign }: Pick<Deps, 'db' | 'campaign'>): Promise<CampaignLife> {
  const { paused } = await readState(db, campaign)
  return {
    ...(await readRecord(db, campaign.id, { campaign, readResults })),
    paused,
    ...(await countPending(db, campaign.id)),
  }
}

type Pending = Pick<CampaignLife, 'undecided' | 'appeals' | 'waiting' | 'held' | 'kept' | 'keptUntil'>

async function countPending(db: Database, campaignId: string): Promise<Pending> {
  const { claims, appeals, kept, waiting } = await countUnsettled(db, campaignId)
  // A slot kept for an appeal ends at 'infinity', which the driver would read as a number.
  const { rows } = await sql<{ held: number; keptUntil: Date | null }>`
    select count(*) as held,
      nullif(max(s.until) filter (where c.paused_at is null and s.until > now()), 'infinity') as "keptUntil"
    from slots s join campaigns c on c.id = s.campaign_id
    where c.id = ${campaignId} and s.until is not null`.execute(db)
  const [row] = rows
  if (!row) throw new Error('count returned no row')
  const { held, keptUntil } = row
  return { undecided: claims, appeals, kept, keptUntil: keptUntil?.toISOString() ?? null, waiting, held }
}
