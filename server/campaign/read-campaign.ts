import { sql } from 'kysely'
import type { Campaign } from '#contract/campaign.ts'
import type { Deps } from '../deps.ts'
import type { Database } from '../platform/database.ts'

/** What the campaign offers; whether it is open is decided by the database's clock. */
export async function readCampaign({ db, campaign }: Pick<Deps, 'db' | 'campaign'>): Promise<Campaign> {
  const { name, token, chain, airdrop } = campaign
  const [slots, inTime] = await Promise.all([readSlots(db, campaign.id), isInTime(db, airdrop)])
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
    open: inTime && slots.left > 0,
  }
}

/** How many slots a campaign has, and how many are left. */
export async function readSlots(db: Database, campaignId: string): Promise<{ total: number; left: number }> {
  const { slots_total, slots_taken } = await db
    .selectFrom('campaigns')
    .select(['slots_total', 'slots_taken'])
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow()
  return { total: slots_total, left: slots_total - slots_taken }
}

async function isInTime(db: Database, dates: { opensAt: string; closesAt: string | null }): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`
    select now() >= ${dates.opensAt}::timestamptz
      and coalesce(now() < ${dates.closesAt}::timestamptz, true) as open`.execute(db)
  return rows[0]?.open ?? false
}
