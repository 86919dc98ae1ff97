import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { mailUser } from '../mail/send-later.ts'
import { readEffective } from '../campaign/overrides.ts'
import { isClosed, readIsPaused } from '../campaign/read-campaign.ts'
import { recordEvent } from '../claims/claim-events.ts'
import { latestClaim } from '../claims/latest-claim.ts'
import type { Deps } from '#server/deps.ts'
import { announce, announceClaim } from '../events/announce.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { record } from '../journal/record.ts'
import {
  type ExpiredReservation,
  expireReservations,
  endWaiting,
  reserveNext,
} from './expire-reservations.ts'
import { lockSlots } from './take-slot.ts'

/** Slots changed in one transaction, which blocks claims meanwhile. */
const BATCH_SIZE = 20

/**
 * Frees slots whose reservations have expired and reserves every free slot for the next on the waiting list. Once the
 * campaign is closed it ends the waiting list instead, with one email each. Does nothing while the campaign is paused.
 * Safe to run on several nodes at once.
 */
export async function reallocateSlots({
  db,
  liveCampaign,
}: Pick<Deps, 'db' | 'liveCampaign'>): Promise<void> {
  const { file } = liveCampaign
  let { campaign } = liveCampaign
  while (await isDue(db, campaign)) campaign = await inTransaction(db, (tx) => reallocateBatch(tx, file))
}

/** Checked without a lock first: usually there is nothing to do. */
async function isDue(db: Database, campaign: CampaignFile): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`
    select c.paused_at is null and (
      exists (select from slots where campaign_id = c.id and until <= now())
      or (c.slots_taken < c.slots_total or ${isClosed(campaign)})
        and exists (select from waiting_list where campaign_id = c.id)) as "isDue"
    from campaigns c where c.id = ${campaign.id}`.execute(db)
  return rows[0]?.isDue ?? false
}

/** @returns the campaign as the database has it: what this node knows may be outdated. */
async function reallocateBatch(tx: Tx, file: CampaignFile): Promise<CampaignFile> {
  const { id: campaignId } = file
  await lockSlots(tx, campaignId)
  // Under the lock: no slot is reserved after the campaign has closed, and no waiting list of one that was extended
  // is ended, from which nobody could come back.
  const { campaign } = await readEffective(tx, file)
  if (await readIsPaused(tx, campaignId)) return campaign
  const isOver = await readIsClosed(tx, campaign)
  for (const reservation of await expireReservations(tx, campaignId, BATCH_SIZE)) {
    await recordExpiry(tx, campaignId, reservation)
    await mailUser(tx, reservation.userId, isOver ? 'slot-ended' : 'slot-freed', { state: reservation.state })
  }
  if (isOver) await endWaitingList(tx, campaignId)
  else await reserveFreeSlots(tx, campaignId)
  await announce(tx, 'slots')
  return campaign
}

async function readIsClosed(tx: Tx, campaign: CampaignFile): Promise<boolean> {
  const { rows } = await sql<{ isClosed: boolean }>`select ${isClosed(campaign)} as "isClosed"`.execute(tx)
  return rows[0]?.isClosed ?? false
}

/** Adds the expiry of a kept slot to its participant's timeline. */
async function recordExpiry(
  tx: Tx,
  campaignId: string,
  { userId, state }: ExpiredReservation,
): Promise<void> {
  if (state !== 'kept') return
  const claim = await tx.selectFrom(latestClaim(campaignId, userId).as('c')).select('c.id').executeTakeFirst()
  if (!claim) return
  await recordEvent(tx, { claimId: claim.id, what: 'slot_freed' })
  await announceClaim(tx, claim.id)
}

async function endWaitingList(tx: Tx, campaignId: string): Promise<void> {
  const ended = await endWaiting(tx, campaignId, BATCH_SIZE)
  for (const userId of ended) await mailUser(tx, userId, 'waiting-list-ended')
  const entries = ended.map((subject) => ({ actor: null, action: 'slots.waiting_ended' as const, subject }))
  await record(tx, ...entries)
}

async function reserveFreeSlots(tx: Tx, campaignId: string): Promise<void> {
  for (let left = BATCH_SIZE; left > 0; left -= 1) {
    const userId = await reserveNext(tx, campaignId)
    if (userId === undefined) break
    await mailUser(tx, userId, 'slot-reserved')
  }
}
