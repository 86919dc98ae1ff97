import { type RawBuilder, sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { MAX_ATTEMPTS } from '#contract/claims/claims.ts'
import { mailUser } from '../mail/send-later.ts'
import { readEffective } from '../campaign/settings/overrides.ts'
import { isClosed, readSlots } from '../campaign/read-campaign.ts'
import { recordEvent } from '../claims/claim-events.ts'
import { latestClaim } from '../claims/latest-claim.ts'
import type { Deps } from '#server/deps.ts'
import { announce, announceClaim } from '../events/announce.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { record } from '../journal/record.ts'
import { RESERVATION_EXPIRY } from './keep-or-free-slot.ts'
import { lockSlots, nextNumber } from './take-slot.ts'

/** The most slots, or places on the waiting list, that a transaction changes. Claims wait until it ends. */
const BATCH_SIZE = 20

/**
 * Frees slots whose reservations have expired and reserves every free slot for the next on the waiting list.
 * Once the campaign is closed, ends the waiting list instead, with an email to each participant on it. Does
 * nothing while the campaign is paused. Safe to run on several nodes at once.
 */
export async function reallocateSlots({
  db,
  liveCampaign,
}: Pick<Deps, 'db' | 'liveCampaign'>): Promise<void> {
  const { file } = liveCampaign
  let { campaign } = liveCampaign
  while (await isDue(db, campaign)) campaign = await inTransaction(db, (tx) => reallocateBatch(tx, file))
}

/** Checked without a lock, because usually nothing is due. */
async function isDue(db: Database, campaign: CampaignFile): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`
    select c.paused_at is null and (
      exists (select from slots where campaign_id = c.id and until <= now())
      or (c.slots_taken < c.slots_total or ${isClosed(campaign)})
        and exists (select from waiting_list where campaign_id = c.id)) as "isDue"
    from campaigns c where c.id = ${campaign.id}`.execute(db)
  return rows[0]?.isDue ?? false
}

/** @returns the campaign with the settings of the database, because those of this node may be outdated. */
async function reallocateBatch(tx: Tx, file: CampaignFile): Promise<CampaignFile> {
  const { id: campaignId } = file
  await lockSlots(tx, campaignId)
  // Read under the lock: a concurrent change of dates may close or extend the campaign. No slot may be
  // reserved after the close, and the waiting list must not end before it.
  const { campaign } = await readEffective(tx, file)
  if ((await readSlots(tx, campaignId)).isPaused) return campaign
  const hasClosed = await readIsClosed(tx, campaign)
  for (const { userId, state } of await expireReservations(tx, campaignId, BATCH_SIZE)) {
    const claim = await tx
      .selectFrom(latestClaim(campaignId, userId).as('c'))
      .select(['c.id', 'c.attempt'])
      .executeTakeFirst()
    if (claim && state === 'kept') {
      await recordEvent(tx, { claimId: claim.id, what: 'slot_freed' })
      await announceClaim(tx, claim.id)
    }
    const canClaimAgain = (claim?.attempt ?? 0) < MAX_ATTEMPTS
    await mailUser(tx, userId, hasClosed ? 'slot-ended' : 'slot-freed', {
      ...campaignValues(campaign),
      state,
      attempts: canClaimAgain ? 'left' : 'over',
    })
  }
  if (hasClosed) await endWaitingList(tx, campaign)
  else await reserveFreeSlots(tx, campaignId)
  await announce(tx, 'slots')
  return campaign
}

async function readIsClosed(tx: Tx, campaign: CampaignFile): Promise<boolean> {
  const { rows } = await sql<{ isClosed: boolean }>`select ${isClosed(campaign)} as "isClosed"`.execute(tx)
  return rows[0]?.isClosed ?? false
}

/** `kept` after a rejection, or `reserved` for someone on the waiting list. */
type ExpiredReservation = { userId: string; state: 'kept' | 'reserved' }

/** Frees the earliest first. The caller holds {@link lockSlots}. Uses the index `slots_by_end`. */
export async function expireReservations(
  tx: Tx,
  campaignId: string,
  limit: number,
): Promise<ExpiredReservation[]> {
  const { rows } = await sql<ExpiredReservation>`
    with due as (
      select number, user_id, state from slots where campaign_id = ${campaignId} and until <= now()
      order by until limit ${limit} for update),
    freed as (
      update slots set user_id = null, state = 'free', until = null
      where campaign_id = ${campaignId} and number in (select number from due)),
    counted as (
      update campaigns set slots_taken = slots_taken - (select count(*) from due)
      where id = ${campaignId} and exists (select from due))
    select user_id as "userId", state from due`.execute(tx)
  return rows
}

/** Stored with an email because the server may serve another campaign by the time it is sent. */
const campaignValues = ({ id, name }: CampaignFile) => ({ campaignId: id, campaign: name })

async function endWaitingList(tx: Tx, campaign: CampaignFile): Promise<void> {
  const ended = await removeFirstWaiting(tx, campaign.id, BATCH_SIZE)
  for (const userId of ended) await mailUser(tx, userId, 'waiting-list-ended', campaignValues(campaign))
  const entries = ended.map((subject) => ({ actor: null, action: 'slots.waiting_ended' as const, subject }))
  await record(tx, ...entries)
}

/** The caller holds {@link lockSlots}. Uses the index `waiting_list_order`. */
export async function removeFirstWaiting(tx: Tx, campaignId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    delete from waiting_list w using (
      select user_id from waiting_list where campaign_id = ${campaignId} order by ticket limit ${limit}) first
    where w.campaign_id = ${campaignId} and w.user_id = first.user_id returning w.user_id`.execute(tx)
  return rows.map(({ user_id }) => user_id)
}

async function reserveFreeSlots(tx: Tx, campaignId: string): Promise<void> {
  for (let left = BATCH_SIZE; left > 0; left -= 1) {
    const userId = await reserveNext(tx, campaignId)
    if (userId === undefined) break
    await mailUser(tx, userId, 'slot-reserved')
  }
}

/**
 * Removes banned accounts from the waiting list, then moves the first participant on it to a free slot. The
 * caller holds {@link lockSlots}.
 * @returns the participant's id, or undefined if the list is empty or no slot is free.
 */
export async function reserveNext(tx: Tx, campaignId: string): Promise<string | undefined> {
  // Uses the index `users_banned` instead of reading the whole waiting list.
  await sql`
    delete from waiting_list w using users u
    where w.campaign_id = ${campaignId} and u.id = w.user_id and u.banned_at is not null`.execute(tx)
  const { rows } = await reserveNextSql(campaignId).execute(tx)
  return rows[0]?.user_id
}

/** Uses the index `waiting_list_order`. */
const reserveNextSql = (campaignId: string): RawBuilder<{ user_id: string }> => sql`
  with next as (
    select w.user_id from waiting_list w join campaigns c on c.id = w.campaign_id
    where c.id = ${campaignId} and c.slots_taken < c.slots_total order by w.ticket limit 1),
  counted as (
    update campaigns set slots_taken = slots_taken + 1 where id = ${campaignId} and exists (select from next)),
  reserved as (
    insert into slots (campaign_id, number, user_id, state, until)
    select ${campaignId}, ${nextNumber(campaignId)}, user_id, 'reserved', ${RESERVATION_EXPIRY} from next
    on conflict (campaign_id, number) do update
      set user_id = excluded.user_id, state = excluded.state, until = excluded.until
    returning user_id)
  delete from waiting_list w using reserved r
  where w.campaign_id = ${campaignId} and w.user_id = r.user_id returning w.user_id`
