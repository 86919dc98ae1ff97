import { sql } from 'kysely'
import { SLOT_HOURS } from '#contract/slots.ts'
import type { Tx } from '../platform/database.ts'

/** When a slot that is kept or reserved from now on ends. */
export const END_OF_HOLD = sql<Date>`now() + make_interval(hours => ${sql.lit(SLOT_HOURS)})`

/** Lets a claim that is being rejected keep its slot for a day: an undo or a corrected claim takes it again. */
export async function keepSlot(tx: Tx, campaignId: string, userId: string): Promise<void> {
  await tx
    .updateTable('slots')
    .set({ state: 'kept', until: END_OF_HOLD })
    .where('campaign_id', '=', campaignId)
    .where('user_id', '=', userId)
    .where('state', '=', 'claimed')
    .execute()
}
