import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'
import { lockSlots } from './take-slot.ts'

/**
 * Frees a participant's slot if it is in one of the states, even if its reservation has expired.
 * @returns whether a slot was freed.
 */
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
  // Joined with campaigns, so that it uses the index `waiting_list_pkey`, which begins with the campaign.
  await sql`
    delete from waiting_list w using campaigns c
    where w.campaign_id = c.id and w.user_id = ${userId}`.execute(tx)
  // Joined with campaigns to use the index `slots_one_a_person`.
  const { rows } = await sql<{ campaign_id: string }>`
    select s.campaign_id from campaigns c join slots s on s.campaign_id = c.id and s.user_id = ${userId}
    where s.state in ('kept', 'reserved') order by s.campaign_id`.execute(tx)
  for (const { campaign_id } of rows) await freeSlot(tx, campaign_id, userId, 'kept', 'reserved')
}
