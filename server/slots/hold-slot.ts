import { sql } from 'kysely'
import { SLOT_HOURS } from '#contract/slots.ts'
import type { Tx } from '../platform/database.ts'

/** When a slot that is kept or reserved from now on ends. */
export const HOLD_EXPIRY = sql<Date>`now() + make_interval(hours => ${sql.lit(SLOT_HOURS)})`

/** Lets a claim that is being rejected keep its slot for a day: an undo or a corrected claim takes it again. */
export async function holdSlot(tx: Tx, campaignId: string, userId: string): Promise<void> {
  await tx
    .updateTable('slots')
    .set({ state: 'kept', until: HOLD_EXPIRY })
    .where('campaign_id', '=', campaignId)
    .where('user_id', '=', userId)
    .where('state', '=', 'claimed')
    .execute()
}

const FOR_EVER = sql<Date>`'infinity'::timestamptz`

/** Lets a rejected claim keep its slot until its appeal is answered, where it still has one. */
export async function keepForAppeal(tx: Tx, campaignId: string, userId: string): Promise<void> {
  await tx
    .updateTable('slots')
    .set({ until: FOR_EVER })
    .where('campaign_id', '=', campaignId)
    .where('user_id', '=', userId)
    .where('state', '=', 'kept')
    .execute()
}

/** The appeal is answered and the rejection stays: the time of the slot goes on, counted from that rejection. */
export async function endKeepForAppeal(
  tx: Tx,
  { campaignId, userId, rejectedAt }: { campaignId: string; userId: string; rejectedAt: Date | null },
): Promise<void> {
  await tx
    .updateTable('slots')
    .set({
      until: sql`greatest(now(), ${rejectedAt}::timestamptz + make_interval(hours => ${sql.lit(SLOT_HOURS)}))`,
    })
    .where('campaign_id', '=', campaignId)
    .where('user_id', '=', userId)
    .where('until', '=', FOR_EVER)
    .execute()
}
