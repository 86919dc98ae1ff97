import { sql } from 'kysely'
import type { Database, Tx } from '../platform/database.ts'

/**
 * Puts verified participants on the board, in this order, with no points yet. A campaign that has not begun
 * takes everybody in when it does.
 */
export async function enterBoard(tx: Tx, campaignId: string, ...userIds: string[]): Promise<void> {
  await sql`
    insert into standings (campaign_id, user_id)
    select c.id, entering.id
    from campaigns c, unnest(${userIds}::uuid[]) with ordinality as entering (id, place)
    where c.id = ${campaignId} order by entering.place
    on conflict do nothing`.execute(tx)
}

/** Takes somebody off the board (an administrator, say); the points stay in the ledger. */
export async function leaveBoard(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable('standings').set({ listed: false }).where('user_id', '=', userId).execute()
}

/** Smaller than every id. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'
/** How many are taken in by one statement, so that none takes longer than a request may. */
const AT_ONCE = 2_000

/** Puts everybody who is verified on the board of a campaign that has just begun, in the order of joining. */
export async function openBoard(tx: Tx, campaignId: string): Promise<void> {
  let last: string | undefined = BEFORE_ALL
  while (last) last = await takeIn(tx, campaignId, last)
}

/** @returns the last of those who were looked at, undefined when nobody was left. */
async function takeIn(tx: Tx, campaignId: string, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    with next as (select id, role, banned_at from users where id > ${after} order by id limit ${AT_ONCE}),
    entered as (
      insert into standings (campaign_id, user_id, listed)
      select ${campaignId}, n.id, n.role = 'user' and n.banned_at is null from next n
      -- One look-up each: joined, all standings would be read for every statement.
      where (select true from standings s where s.campaign_id = ${campaignId} and s.user_id = n.id) is null
      order by n.id
      -- Another node may put somebody on the board at this moment.
      on conflict do nothing)
    select id from next order by id desc limit 1`.execute(tx)
  return rows[0]?.id
}

/**
 * Folds the counted deltas of the board's stretches into one row each. Readers see either the old rows
 * or the new; what is inserted meanwhile stays.
 */
export async function foldBoardCounts(db: Database): Promise<void> {
  await sql`
    with gone as (delete from standings_counts returning *)
    insert into standings_counts
    select campaign_id, rank_key, stretch, sum(people) from gone
    group by campaign_id, rank_key, stretch having sum(people) <> 0`.execute(db)
}
