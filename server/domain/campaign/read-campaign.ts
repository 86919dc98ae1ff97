import { sql, type RawBuilder } from 'kysely'
import type { Campaign } from '#contract/campaign.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'

/** The public description of the campaign; the database's clock decides whether it is open. */
export async function readCampaign({ db, campaign }: Pick<Deps, 'db' | 'campaign'>): Promise<Campaign> {
  const { name, token, chain, airdrop } = campaign
  const { isInTime, ...slots } = await readState(db, campaign)
  return {
    name,
    token: {
      name: token.name,
      symbol: token.symbol,
      supply: token.supply,
      contract: token.contract,
      chainId: chain.id,
      placeholder: token.placeholder,
    },
    tasks: airdrop.tasks.map(({ id, title, url }) => ({ id, title, url, points: airdrop.pointsPerTask })),
    pointsPerTask: airdrop.pointsPerTask,
    slots,
    opensAt: airdrop.opensAt,
    closesAt: airdrop.closesAt,
    open: isInTime && slots.left > 0,
  }
}

export async function readSlots(db: Database, campaignId: string): Promise<{ total: number; left: number }> {
  const { slots_total, slots_taken } = await db
    .selectFrom('campaigns')
    .select(['slots_total', 'slots_taken'])
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow()
  return { total: slots_total, left: slots_total - slots_taken }
}

/** In one statement: the answer must not mix two states. */
async function readState(db: Database, campaign: CampaignFile) {
  const { slots_total, slots_taken, isInTime } = await db
    .selectFrom('campaigns')
    .select(['slots_total', 'slots_taken'])
    .select(sql<boolean>`not (${isEarly(campaign)} or ${isClosed(campaign)})`.as('isInTime'))
    .where('id', '=', campaign.id)
    .executeTakeFirstOrThrow()
  return { total: slots_total, left: slots_total - slots_taken, isInTime }
}

// The database's clock at the time of evaluation, not of the transaction's start: it may have waited for a lock.

/** Whether the campaign has not opened yet. */
export const isEarly = ({ airdrop: { opensAt } }: CampaignFile): RawBuilder<boolean> =>
  sql<boolean>`clock_timestamp() < ${opensAt}::timestamptz`

/** Whether the campaign is over; one without a closing date never is. */
export const isClosed = ({ airdrop: { closesAt } }: CampaignFile): RawBuilder<boolean> =>
  sql<boolean>`coalesce(clock_timestamp() >= ${closesAt}::timestamptz, false)`
