import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { writeTo } from '../accounts/write-to.ts'
import { isClosed } from '../campaign/opening.ts'
import type { Deps } from '../deps.ts'
import { announce } from '../events/announce.ts'
import { type Database, inTransaction, type Tx } from '../platform/database.ts'
import { record } from '../journal/record.ts'
import { type ExpiredHold, expireHolds, endWaiting, lockSlots, reserveNext } from './expire-holds.ts'

/** How many slots change hands in one transaction: claims wait for it. */
const AT_ONCE = 20

/** What the feature of claims does in the same transaction for whoever lost a kept slot. */
export type OnHoldExpired = (tx: Tx, campaignId: string, ended: ExpiredHold) => Promise<void>

type Settling = Pick<Deps, 'db' | 'campaign'>

/**
 * Ends what is kept or reserved past its time, by the database's clock, and reserves every free slot for the
 * next of the waiting list. Once the campaign is closed nothing is reserved any more, and whoever still waits is told
 * so, once. Done on several nodes at once it does the same as on one.
 */
export async function reallocateSlots({ db, campaign }: Settling, onEnded: OnHoldExpired): Promise<void> {
  while (await isDue(db, campaign)) await inTransaction(db, (tx) => settleSome(tx, campaign, onEnded))
}

/** Looked at without a lock: nearly always there is nothing to do. */
async function isDue(db: Database, campaign: CampaignFile): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from slots where campaign_id = c.id and until <= now())
      or (c.slots_taken < c.slots_total or ${isClosed(campaign)})
        and exists (select from waiting_list where campaign_id = c.id) as due
    from campaigns c where c.id = ${campaign.id}`.execute(db)
  return rows[0]?.due ?? false
}

async function settleSome(tx: Tx, campaign: CampaignFile, onEnded: OnHoldExpired): Promise<void> {
  const { id: campaignId } = campaign
  await lockSlots(tx, campaignId)
  // Asked while the slots are held: from here on nothing is promised that the close would break.
  const closed = await readClosed(tx, campaign)
  for (const ended of await expireHolds(tx, campaignId, AT_ONCE)) {
    await onEnded(tx, campaignId, ended)
    await writeTo(tx, ended.userId, closed ? 'slot-ended' : 'slot-freed', { state: ended.state })
  }
  if (closed) await endList(tx, campaignId)
  else await reserveFree(tx, campaignId)
  await announce(tx, 'slots')
}

async function readClosed(tx: Tx, campaign: CampaignFile): Promise<boolean> {
  const { rows } = await sql<{ closed: boolean }>`select ${isClosed(campaign)} as closed`.execute(tx)
  return rows[0]?.closed ?? false
}

/** Who waits no longer is told in the same transaction: once, whichever node does it. */
async function endList(tx: Tx, campaignId: string): Promise<void> {
  const ended = await endWaiting(tx, campaignId, AT_ONCE)
  for (const userId of ended) await writeTo(tx, userId, 'waiting-list-ended')
  await record(tx, ...ended.map((subject) => ({ actor: null, action: 'slots.waiting_ended', subject })))
}

async function reserveFree(tx: Tx, campaignId: string): Promise<void> {
  for (let left = AT_ONCE; left > 0; left -= 1) {
    const userId = await reserveNext(tx, campaignId)
    if (userId === undefined) break
    await writeTo(tx, userId, 'slot-reserved')
  }
}
