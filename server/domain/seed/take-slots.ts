import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'
import { lockSlots } from '../slots/take-slot.ts'

/**
 * Assigns the slots after the highest number in use to seeded participants in order, while slots are left. By
 * `slots_pkey`.
 * @returns the slot numbers.
 */
export async function takeSlots(tx: Tx, campaignId: string, userIds: readonly string[]): Promise<number[]> {
  await lockSlots(tx, campaignId)
  const { rows } = await sql<{ number: number }>`
    with taken as (
      insert into slots (campaign_id, number, user_id, state)
      select c.id, (select coalesce(max(number), 0) from slots where campaign_id = c.id) + taker.place, taker.id, 'claimed'
      from campaigns c, unnest(${userIds}::uuid[]) with ordinality as taker (id, place)
      where c.id = ${campaignId} and taker.place <= c.slots_total - c.slots_taken
      returning number),
    counted as (
      update campaigns set slots_taken = slots_taken + (select count(*) from taken) where id = ${campaignId})
    select number from taken order by number`.execute(tx)
  return rows.map(({ number }) => number)
}
