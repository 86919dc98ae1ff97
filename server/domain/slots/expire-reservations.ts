import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'
import { RESERVATION_EXPIRY } from './keep-slot.ts'
import { nextNumber } from './take-slot.ts'

/** An expired reservation and its participant. */
export type ExpiredReservation = { userId: string; state: 'kept' | 'reserved' }

/**
 * Frees up to `limit` slots whose reservations have expired, the earliest first, by `slots_by_end`. The
 * caller holds the lock of `lockSlots`.
 */
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

/**
 * Reserves a free slot for the next on the waiting list, under `lockSlots`. Removes banned accounts from it.
 * @returns the participant's id; undefined when the list is empty or no slot is free.
 */
export async function reserveNext(tx: Tx, campaignId: string): Promise<string | undefined> {
  // By `users_banned`, so that the waiting list is not read.
  await sql`
    delete from waiting_list w using users u
    where w.campaign_id = ${campaignId} and u.id = w.user_id and u.banned_at is not null`.execute(tx)
  const { rows } = await reservation(campaignId).execute(tx)
  return rows[0]?.user_id
}

/** Statement that moves the first of the waiting list, by `waiting_list_order`, to the next slot. */
const reservation = (campaignId: string): RawBuilder<{ user_id: string }> => sql`
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

/**
 * Removes up to `limit` participants from the front of the waiting list, by `waiting_list_order`, under
 * `lockSlots`.
 * @returns their ids.
 */
export async function endWaiting(tx: Tx, campaignId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    delete from waiting_list w using (
      select user_id from waiting_list where campaign_id = ${campaignId} order by ticket limit ${limit}) first
    where w.campaign_id = ${campaignId} and w.user_id = first.user_id returning w.user_id`.execute(tx)
  return rows.map(({ user_id }) => user_id)
}
