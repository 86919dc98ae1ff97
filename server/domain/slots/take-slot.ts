import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'

type Slot = { number: number }

/**
 * Counts one more slot as taken, and locks the campaign's slots until the transaction ends.
 * @param skipsWaitingList Takes the slot ahead of the waiting list; otherwise the list must be empty.
 * @returns false when no slot is available.
 */
export async function countSlot(tx: Tx, campaignId: string, skipsWaitingList = false): Promise<boolean> {
  const counted = await tx
    .updateTable('campaigns as c')
    .set({ slots_taken: sql`slots_taken + 1` })
    .where('c.id', '=', campaignId)
    .whereRef('slots_taken', '<', 'slots_total')
    .$if(!skipsWaitingList, (query) =>
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

/** Statement that assigns the slot just counted, reusing the lowest free number, and returns it. */
const newSlot = (campaignId: string, userId: string, condition = sql`true`): RawBuilder<Slot> => sql`
  insert into slots (campaign_id, number, user_id, state)
  select ${campaignId}, ${nextNumber(campaignId)}, ${userId}, 'claimed' where ${condition}
  on conflict (campaign_id, number) do update set user_id = excluded.user_id, state = excluded.state
  returning number`

/**
 * The same behind the waiting list: returns nothing while anyone waits. {@link countSlot} sees the list as it was
 * before it waited for its lock; this statement starts under that lock and sees who joined meanwhile.
 */
export const newSlotBehindWaitingList = (campaignId: string, userId: string): RawBuilder<Slot> =>
  newSlot(campaignId, userId, sql`not exists (select from waiting_list where campaign_id = ${campaignId})`)

/**
 * Statement that takes the participant's hold and returns its number. An expired hold that was not freed yet can be
 * taken while the waiting list is empty.
 */
export const ownSlot = (campaignId: string, userId: string): RawBuilder<Slot> => sql`
  update slots set state = 'claimed', until = null
  where campaign_id = ${campaignId} and user_id = ${userId}
    and (until is null or until > now() or not exists (select from waiting_list where campaign_id = ${campaignId}))
  returning number`

/** The same ahead of the waiting list: an expired hold counts until it is freed. */
const ownSlotUntilFreed = (campaignId: string, userId: string): RawBuilder<Slot> => sql`
  update slots set state = 'claimed', until = null
  where campaign_id = ${campaignId} and user_id = ${userId} returning number`

/** The lowest freed number, the first of slots_free, else the first unused one, after the last of slots_pkey. */
export const nextNumber = (campaignId: string) => sql<number>`coalesce(
  (select number from slots where campaign_id = ${campaignId} and state = 'free' order by number limit 1),
  (select coalesce(max(number), 0) + 1 from slots where campaign_id = ${campaignId}))`

/**
 * Takes a slot for a reopened claim, ahead of the waiting list: its own hold, else a free one.
 * @returns its number; undefined when no slot is available.
 */
export async function takeSlot(tx: Tx, campaignId: string, userId: string): Promise<number | undefined> {
  // First of all: a slot that the participant gets while this waits is either seen below or not given.
  await lockSlots(tx, campaignId)
  const own = await ownSlotUntilFreed(campaignId, userId).execute(tx)
  if (own.rows[0]) return own.rows[0].number
  if (!(await countSlot(tx, campaignId, true))) return undefined
  await tx
    .deleteFrom('waiting_list')
    .where('campaign_id', '=', campaignId)
    .where('user_id', '=', userId)
    .execute()
  const { rows } = await newSlot(campaignId, userId).execute(tx)
  return rows[0]?.number
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
