import { sql } from 'kysely'
import { SLOT_HOURS } from '#contract/claims/slots.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { lockSlots } from './take-slot.ts'

export const RESERVATION_EXPIRY = sql<Date>`now() + make_interval(hours => ${sql.lit(SLOT_HOURS)})`

const updateSlot = (tx: Tx, campaignId: string, userId: string) =>
  tx.updateTable('slots').where('campaign_id', '=', campaignId).where('user_id', '=', userId)

/** Keeps a rejected claim's slot for its participant, for an undo or a corrected claim. */
export async function keepSlot(tx: Tx, campaignId: string, userId: string): Promise<void> {
  await updateSlot(tx, campaignId, userId)
    .set({ state: 'kept', until: RESERVATION_EXPIRY })
    .where('state', '=', 'claimed')
    .execute()
}

const NEVER = sql<Date>`'infinity'::timestamptz`

/** Suspends the expiry of a kept slot while an appeal is open. */
export async function suspendSlotExpiry(tx: Tx, campaignId: string, userId: string): Promise<void> {
  await updateSlot(tx, campaignId, userId)
    .set({ until_without_appeal: sql.ref('until'), until: NEVER })
    .where('state', '=', 'kept')
    .execute()
}

/** Undoes {@link suspendSlotExpiry} after an unsuccessful appeal. */
export async function resumeSlotExpiry(tx: Tx, campaignId: string, userId: string): Promise<void> {
  await updateSlot(tx, campaignId, userId)
    // If the original end is past, the slot is kept until now, because screens show the end until the slot is
    // reallocated. During a pause, it is kept until the pause's start: resuming would extend a later end.
    .set({
      until: sql`greatest(until_without_appeal,
        least(now(), (select paused_at from campaigns where id = slots.campaign_id)))`,
    })
    .where('until', '=', NEVER)
    .execute()
}

/** Frees even a slot with an expired reservation. @returns whether the participant had a slot to free. */
export async function freeSlot(
  tx: Tx,
  campaignId: string,
  userId: string,
  ...states: readonly ('claimed' | 'kept' | 'reserved')[]
): Promise<boolean> {
  await lockSlots(tx, campaignId)
  const { rows } = await sql`
    with freed as (
      update slots set user_id = null, state = 'free', until = null
      where campaign_id = ${campaignId} and user_id = ${userId} and state = any (${states}::text[]) returning number)
    update campaigns set slots_taken = slots_taken - 1
    where id = ${campaignId} and exists (select from freed) returning id`.execute(tx)
  return rows.length > 0
}

/**
 * Gives up a participant's reservations and places on waiting lists, in all campaigns. Slots with a claim
 * stay taken. The caller has locked the account and all campaigns (`lockAccount`).
 */
export async function releaseReservations(tx: Tx, userId: string): Promise<void> {
  // Joined with campaigns to use the index `waiting_list_pkey`, which begins with the campaign.
  await sql`
    delete from waiting_list w using campaigns c
    where w.campaign_id = c.id and w.user_id = ${userId}`.execute(tx)
  // Joined with campaigns to use the index `slots_one_a_person`.
  const { rows } = await sql<{ campaign_id: string }>`
    select s.campaign_id from campaigns c join slots s on s.campaign_id = c.id and s.user_id = ${userId}
    where s.state in ('kept', 'reserved') order by s.campaign_id`.execute(tx)
  for (const { campaign_id } of rows) await freeSlot(tx, campaign_id, userId, 'kept', 'reserved')
}
