import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Tx } from '#server/platform/database/database.ts'

type Slot = { number: number }

/**
 * CTEs that count one more slot as taken (`counted`) and assign it (`slot`), first come, first served.
 * Counting takes the row lock of the campaign until the transaction ends, so concurrent claims are served one
 * after another, no slot is assigned twice, and the capacity (`slots_total`) is never exceeded.
 * Both are empty when no slot is free, someone is on the waiting list, or the campaign is paused or archived.
 * `counted` sees the waiting list as it was before the wait for the lock, and next_slot() as it is under the
 * lock. If someone has joined meanwhile, next_slot() returns null, which violates a constraint
 * (see {@link isWaitingListOvertaken}).
 */
export const slotBehindWaitingList = (campaignId: string, userId: string): RawBuilder<unknown> => sql`
  counted as (
    update campaigns set slots_taken = slots_taken + 1
    where id = ${campaignId} and paused_at is null and archived_at is null and slots_taken < slots_total
      and not exists (select from waiting_list where campaign_id = ${campaignId})
    returning id),
  slot as (${newSlot(userId, sql`select id, next_slot(id) from counted`)})`

const NOT_NULL_VIOLATION = '23502'

export const isWaitingListOvertaken = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === NOT_NULL_VIOLATION &&
  error.table === 'slots' &&
  error.column === 'number'

/** Statement that assigns the slot that `next` selects, and returns its number. */
const newSlot = (userId: string, next: RawBuilder<unknown>): RawBuilder<Slot> => sql`
  insert into slots (campaign_id, number, user_id, state)
  select campaign_id, number, ${userId}, 'claimed' from (${next}) next (campaign_id, number)
  on conflict (campaign_id, number) do update set user_id = excluded.user_id, state = excluded.state
  returning number`

/**
 * CTEs that take the slot kept or reserved for the participant (`slot`) if the campaign is neither paused nor
 * archived (`running`). A concurrent pause waits for the lock of `running`. An expired reservation that has
 * not been freed yet can be taken while the waiting list is empty.
 */
export const reservedSlot = (campaignId: string, userId: string): RawBuilder<unknown> => sql`
  running as (select id from campaigns where id = ${campaignId} and paused_at is null
    and archived_at is null for share),
  slot as (
    update slots set state = 'claimed', until = null
    where campaign_id = (select id from running) and user_id = ${userId}
      and (until is null or until > now() or not exists (select from waiting_list where campaign_id = ${campaignId}))
    returning number)`

/** The lowest freed number, or else the first unused number. Uses indexes `slots_free` and `slots_pkey`. */
export const nextNumber = (campaignId: string) => sql<number>`coalesce(
  (select number from slots where campaign_id = ${campaignId} and state = 'free' order by number limit 1),
  (select coalesce(max(number), 0) + 1 from slots where campaign_id = ${campaignId}))`

/**
 * Takes a slot for a reopened claim, ahead of the waiting list: the participant's own if it has not been
 * freed, otherwise any free slot.
 * @returns the slot's number, or undefined when no slot is available.
 */
export async function retakeSlot(tx: Tx, campaignId: string, userId: string): Promise<number | undefined> {
  // Locked first: a reallocation that is in progress may be reserving a slot for the participant.
  await lockSlots(tx, campaignId)
  // The slot may be taken even if its reservation has expired.
  const own = await sql<Slot>`
    update slots set state = 'claimed', until = null
    where campaign_id = ${campaignId} and user_id = ${userId} returning number`.execute(tx)
  if (own.rows[0]) return own.rows[0].number
  if (!(await countOneAsTaken(tx, campaignId))) return undefined
  await tx
    .deleteFrom('waiting_list')
    .where('campaign_id', '=', campaignId)
    .where('user_id', '=', userId)
    .execute()
  const { rows } = await newSlot(userId, sql`select ${campaignId}, ${nextNumber(campaignId)}`).execute(tx)
  return rows[0]?.number
}

async function countOneAsTaken(tx: Tx, campaignId: string): Promise<boolean> {
  const counted = await tx
    .updateTable('campaigns')
    .set({ slots_taken: sql`slots_taken + 1` })
    .where('id', '=', campaignId)
    .whereRef('slots_taken', '<', 'slots_total')
    .returning('id')
    .executeTakeFirst()
  return counted !== undefined
}

/** Serializes everything that assigns or frees a campaign's slots, until the transaction ends. */
export async function lockSlots(tx: Tx, campaignId: string): Promise<void> {
  await tx
    .selectFrom('campaigns')
    .select('id')
    .where('id', '=', campaignId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}
