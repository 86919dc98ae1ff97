import { sql } from 'kysely'
import { SLOT_HOURS } from '#contract/claims/slots.ts'
import type { Tx } from '#server/platform/database/database.ts'

/** Expiry of a reservation that starts now. */
export const RESERVATION_EXPIRY = sql<Date>`now() + make_interval(hours => ${sql.lit(SLOT_HOURS)})`

const updateSlot = (tx: Tx, campaignId: string, userId: string) =>
  tx.updateTable('slots').where('campaign_id', '=', campaignId).where('user_id', '=', userId)

/** Keeps a rejected claim's slot for its participant: an undo or the resubmitted claim can take it again. */
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

/** Resumes the expiry of a slot whose rejection was upheld, as if there had been no appeal. */
export async function resumeSlotExpiry(tx: Tx, campaignId: string, userId: string): Promise<void> {
  await updateSlot(tx, campaignId, userId)
    // A reservation whose time is over ends now, not earlier: screens show its end until it is reallocated.
    // During a pause it ends at the pause's start, because resuming extends reservations that end later.
    .set({
      until: sql`greatest(until_without_appeal,
        least(now(), (select paused_at from campaigns where id = slots.campaign_id)))`,
    })
    .where('until', '=', NEVER)
    .execute()
}
