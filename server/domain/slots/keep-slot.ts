import { sql } from 'kysely'
import { SLOT_HOURS } from '#contract/claims/slots.ts'
import type { Tx } from '#server/platform/database/database.ts'

/** Expression: when a reservation expires that begins now. */
export const RESERVATION_EXPIRY = sql<Date>`now() + make_interval(hours => ${sql.lit(SLOT_HOURS)})`

const updateSlot = (tx: Tx, campaignId: string, userId: string) =>
  tx.updateTable('slots').where('campaign_id', '=', campaignId).where('user_id', '=', userId)

/** Keeps a rejected claim's slot for its participant. An undo or a corrected claim can take it again. */
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

/** Undoes {@link suspendSlotExpiry} after an appeal that was turned down. */
export async function resumeSlotExpiry(tx: Tx, campaignId: string, userId: string): Promise<void> {
  await updateSlot(tx, campaignId, userId)
    // If the original end is past, the slot is kept until now: screens show the end until reallocation. In a
    // pause, it is kept until the pause's start, because resuming extends reservations that end later.
    .set({
      until: sql`greatest(until_without_appeal,
        least(now(), (select paused_at from campaigns where id = slots.campaign_id)))`,
    })
    .where('until', '=', NEVER)
    .execute()
}
