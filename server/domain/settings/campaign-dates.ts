import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Deps } from '#server/deps.ts'
import { endPause, lockCampaign } from '#server/domain/campaign/pause.ts'
import { readState } from '#server/domain/campaign/read-campaign.ts'
import { type Attribution, record } from '#server/domain/journal/record.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { refuse } from '#server/platform/refusal.ts'
import { changeSettings, overrideSettings } from './change-settings.ts'

type Parts = Pick<Deps, 'db' | 'campaign' | 'liveCampaign'>

/**
 * Moves the end of the campaign later.
 * @param closesAt ISO time.
 * @throws refusals `campaign_closed`, `campaign_archived`, and `promise_broken` for an earlier one.
 */
export async function extend(deps: Parts, closesAt: string, acting: Attribution): Promise<void> {
  await refuseIfOver(deps.db, deps.campaign)
  await change(deps, { path: 'airdrop.closesAt', value: new Date(closesAt).toISOString() }, acting)
}

/**
 * Sets the number of slots.
 * @throws refusals `campaign_closed`, `campaign_archived`, and `promise_broken` for fewer than announced.
 */
export async function addSlots(deps: Parts, slots: number, acting: Attribution): Promise<void> {
  await refuseIfOver(deps.db, deps.campaign)
  await change(deps, { path: 'airdrop.slots', value: slots }, acting)
}

/**
 * Closes the campaign now, earlier than announced, and ends a pause, so that what is held can still be used.
 * @throws refusals `campaign_not_open`, `campaign_closed`, `campaign_archived`.
 */
export async function close(deps: Parts, acting: Attribution): Promise<void> {
  const { db, campaign, liveCampaign } = deps
  const path = 'airdrop.closesAt'
  // All or nothing: a campaign that is closed refuses to be closed again.
  await inTransaction(db, async (tx) => {
    await lockCampaign(tx, campaign.id)
    await refuseIfOver(tx, campaign)
    if ((await readState(tx, campaign)).isEarly) throw refuse('campaign_not_open')
    const changes = [{ path, value: await readNow(tx) }]
    await overrideSettings(tx, liveCampaign.file, { ...acting, changes, breaking: [path] })
    await endPause(tx, campaign.id, acting)
    const { actor, network } = acting
    await record(tx, { actor, action: 'campaign.closed', after: { campaign: campaign.id }, network })
  })
  // The answer to this call already shows it.
  await liveCampaign.refresh()
}

async function refuseIfOver(db: Database | Tx, campaign: CampaignFile): Promise<void> {
  const { archivedAt, isClosed } = await readState(db, campaign)
  if (archivedAt) throw refuse('campaign_archived')
  if (isClosed) throw refuse('campaign_closed')
}

type Change = { path: string; value: unknown }

async function change(
  { db, liveCampaign }: Parts,
  { path, value }: Change,
  acting: Attribution,
): Promise<void> {
  await changeSettings(db, liveCampaign.file, { ...acting, changes: [{ path, value }] })
  // The answer to this call already shows it.
  await liveCampaign.refresh()
}

/** By the database's clock, which decides whether the campaign is closed. */
async function readNow(tx: Tx): Promise<string> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('the clock returned no row')
  return row.now.toISOString()
}
