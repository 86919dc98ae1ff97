import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Deps } from '#server/deps.ts'
import type { Override } from '#server/domain/campaign/settings/overrides.ts'
import { endPause, lockCampaign } from '#server/domain/campaign/pause.ts'
import { readStateUnlessOver } from '#server/domain/campaign/read-campaign.ts'
import { lockStored } from '#server/domain/campaign/settings/stored-settings.ts'
import { type Attribution, record } from '#server/domain/journal/record.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { refuse, refuseField } from '#server/platform/refusal.ts'
import { overrideSettings } from './change-settings.ts'

type CampaignDeps = Pick<Deps, 'db' | 'liveCampaign'>

/**
 * Postpones the end of the campaign.
 * @param closesAt an ISO time.
 * @throws refusals `campaign_closed`, `campaign_archived`, `promise_broken` for an end before the promised
 * one, and `invalid_input` for an end in the past, which no promise rules out before anyone registers.
 */
export async function extend(deps: CampaignDeps, closesAt: string, by: Attribution): Promise<void> {
  if (Date.parse(closesAt) <= Date.now()) throw refuseField('closesAt', 'moment_past')
  await changeSetting(deps, { path: 'airdrop.closesAt', value: new Date(closesAt).toISOString() }, by)
}

/**
 * @param total the new number of slots, including those taken.
 * @throws refusals `campaign_closed`, `campaign_archived`, and `promise_broken` for fewer than announced.
 */
export async function addSlots(deps: CampaignDeps, total: number, by: Attribution): Promise<void> {
  await changeSetting(deps, { path: 'airdrop.slots', value: total }, by)
}

function changeSetting(deps: CampaignDeps, change: Override, by: Attribution): Promise<void> {
  return runAndRefresh(deps, async (tx, file) => {
    // Locked first, so that the campaign cannot be closed between the check and the change.
    await lockStored(tx, file.id)
    await readStateUnlessOver(tx, file)
    await overrideSettings(tx, file, { ...by, changes: [change] })
  })
}

/**
 * Closes the campaign now, whatever end was promised, and ends a pause, so that reservations can be used.
 * @throws refusals `campaign_not_open`, `campaign_closed`, `campaign_archived`.
 */
export async function close(deps: CampaignDeps, by: Attribution): Promise<void> {
  const path = 'airdrop.closesAt'
  // In one transaction: after a failure halfway, a second call would be refused, as the campaign is closed.
  await runAndRefresh(deps, async (tx, file) => {
    await lockCampaign(tx, file.id)
    if ((await readStateUnlessOver(tx, file)).isEarly) throw refuse('campaign_not_open')
    const changes = [{ path, value: await readNow(tx) }]
    await overrideSettings(tx, file, { ...by, changes, breaking: [path] })
    await endPause(tx, file.id, by)
    await record(tx, { ...by, action: 'campaign.closed', after: { campaign: file.id } })
  })
}

type Change = (tx: Tx, file: CampaignFile) => Promise<void>

/** Refreshes this node after the change, so that the reply to the call shows it. */
async function runAndRefresh({ db, liveCampaign }: CampaignDeps, change: Change): Promise<void> {
  await inTransaction(db, (tx) => change(tx, liveCampaign.file))
  await liveCampaign.refresh()
}

/** The database's clock determines whether the campaign is closed. */
async function readNow(tx: Tx): Promise<string> {
  const { now } = await tx.selectNoFrom(sql<Date>`clock_timestamp()`.as('now')).executeTakeFirstOrThrow()
  return now.toISOString()
}
