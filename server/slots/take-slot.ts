import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../platform/database.ts'

type Number = { number: number }

/**
 * Counts one more slot as taken, in the order of the server's time: from here to the end of the transaction
 * whoever else gives slots waits. A slot is free to everybody only when nobody waits for one.
 * @param isFirst Whoever takes it comes before those who wait.
 * @returns false when there is none.
 */
export async function countSlot(tx: Tx, campaignId: string, isFirst = false): Promise<boolean> {
  const counted = await tx
    .updateTable('campaigns as c')
    .set({ slots_taken: sql`slots_taken + 1` })
    .where('c.id', '=', campaignId)
    .whereRef('slots_taken', '<', 'slots_total')
    .$if(!isFirst, (query) =>
      query.where(({ not, exists, selectFrom }) =>
        not(
          exists(selectFrom('waiting_list as w').select('w.ticket').whereRef('w.campaign_id', '=', 'c.id')),
        ),
      ),
    )
    .returning('c.id')
    .executeTakeFirst()
  return counted !== undefined
}

/** Records the slot that was counted just now, and returns its `number`: one given back before, else a new one. */
export const newSlot = (campaignId: string, userId: string): RawBuilder<Number> => sql`
  insert into slots (campaign_id, number, user_id, state)
  values (${campaignId}, ${nextNumber(campaignId)}, ${userId}, 'claimed')
  on conflict (campaign_id, number) do update set user_id = excluded.user_id, state = excluded.state
  returning number`

/**
 * Takes the slot that is kept or reserved for its participant, and returns its `number` while there is one. One whose
 * time is over is still there while nobody waits for it and it was not freed yet.
 */
export const ownSlot = (campaignId: string, userId: string): RawBuilder<Number> => sql`
  update slots set state = 'claimed', until = null
  where campaign_id = ${campaignId} and user_id = ${userId}
    and (until is null or until > now() or not exists (select from waiting_list where campaign_id = ${campaignId}))
  returning number`

/** The same for whoever comes before those who wait: until it is freed. */
const ownSlotStill = (campaignId: string, userId: string): RawBuilder<Number> => sql`
  update slots set state = 'claimed', until = null
  where campaign_id = ${campaignId} and user_id = ${userId} returning number`

/** The smallest number that was given back, else the first that was never given. */
export const nextNumber = (campaignId: string) => sql<number>`coalesce(
  (select number from slots where campaign_id = ${campaignId} and state = 'free' order by number limit 1),
  (select coalesce(max(number), 0) + 1 from slots where campaign_id = ${campaignId}))`

/**
 * A slot for a claim that is live again, before those who wait: its own, else one that is free.
 * @returns its number, undefined when there is none.
 */
export async function takeSlot(tx: Tx, campaignId: string, userId: string): Promise<number | undefined> {
  const own = await ownSlotStill(campaignId, userId).execute(tx)
  if (own.rows[0]) return own.rows[0].number
  if (!(await countSlot(tx, campaignId, true))) return undefined
  await leaveList(tx, campaignId, userId)
  const { rows } = await newSlot(campaignId, userId).execute(tx)
  return rows[0]?.number
}

/** Whoever has a slot waits for none. */
async function leaveList(tx: Tx, campaignId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('waiting_list')
    .where('campaign_id', '=', campaignId)
    .where('user_id', '=', userId)
    .execute()
}
