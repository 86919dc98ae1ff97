import { sql } from 'kysely'
import { SLOT_HOURS } from '#contract/claims/slots.ts'
import type { Tx } from '#server/platform/database/database.ts'

/** Expiry of a hold that starts now. */
export const HOLD_EXPIRY = sql<Date>`now() + make_interval(hours => ${sql.lit(SLOT_HOURS)})`

/** Turns a rejected claim's slot into a hold, which an undo or the resubmitted claim can take again. */
export async function holdSlot(tx: Tx, campaignId: string, userId: string): Promise<void> {
  await tx
    .updateTable('slots')
    .set({ state: 'kept', until: HOLD_EXPIRY })
    .where('campaign_id', '=', campaignId)
    .where('user_id', '=', userId)
    .where('state', '=', 'claimed')
    .execute()
}

const NEVER = sql<Date>`'infinity'::timestamptz`

/** Suspends the expiry of a kept slot while an appeal is open. */
export async function keepForAppeal(tx: Tx, campaignId: string, userId: string): Promise<void> {
  await tx
    .updateTable('slots')
    .set({ until: NEVER })
    .where('campaign_id', '=', campaignId)
    .where('user_id', '=', userId)
    .where('state', '=', 'kept')
    .execute()
}

/** Resumes the expiry of a slot whose rejection was upheld, counted from the first rejection. */
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
    .where('until', '=', NEVER)
    .execute()
}
