import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'
import { lockSlots } from './take-slot.ts'

/** Frees a participant's slot, whether or not its hold has expired. @returns false when they have none in these states. */
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
