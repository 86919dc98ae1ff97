import { sql } from 'kysely'
import type { Database, Tx } from '../platform/database.ts'
import { type Job, type Outcome, enqueue, runDue } from '../platform/jobs.ts'

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

/** Gives a standing to those whom the campaign's board does not have yet: points can be credited to nobody else. */
export async function ensureStandings(tx: Tx, campaignId: string, userIds: readonly string[]): Promise<void> {
  await sql`
    insert into standings (campaign_id, user_id, listed)
    select ${campaignId}, u.id, u.role = 'user' and u.banned_at is null from users u
    where u.id = any(${userIds}::uuid[])
      and not exists (select from standings s where s.campaign_id = ${campaignId} and s.user_id = u.id)
    order by u.id
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

/** The kind of job that fills the board of a campaign. */
const BOARD_JOB = 'fill-board'

/**
 * Has everybody who is verified put on the board of a campaign that has just begun, or that was not the current one
 * of every node for a time: then some of the newest accounts are missing there.
 */
export async function fillBoardSoon(tx: Tx, campaignId: string): Promise<void> {
  const { rows } = await sql`
    select from (select id from users order by id desc limit ${AT_ONCE}) newest
    where not exists (select from standings s where s.campaign_id = ${campaignId} and s.user_id = newest.id)
      and not exists (
        select from jobs where kind = ${BOARD_JOB} and done_at is null and payload ->> 'campaignId' = ${campaignId})
    limit 1`.execute(tx)
  if (rows.length > 0) await enqueue(tx, { kind: BOARD_JOB, payload: { campaignId } })
}

/** Does such jobs. One that is cut off is done again, by any node. */
export function fillBoards(db: Database, stop?: AbortSignal): Promise<number> {
  const fill = async ({ payload }: Job): Promise<Outcome> => {
    await openBoard(db, (payload as { campaignId: string }).campaignId)
    return { done: true }
  }
  return runDue(db, BOARD_JOB, fill, { atOnce: 1, ...(stop ? { stop } : {}) })
}

/** Puts everybody who is verified on the board of a campaign, in the order of joining; done again it changes nothing. */
export async function openBoard(db: Database, campaignId: string): Promise<void> {
  let last: string | undefined = BEFORE_ALL
  while (last) last = await takeIn(db, campaignId, last)
}

/** @returns the last of those who were looked at, undefined when nobody was left. */
async function takeIn(db: Database, campaignId: string, after: string): Promise<string | undefined> {
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
    select id from next order by id desc limit 1`.execute(db)
  return rows[0]?.id
}

/**
 * Folds the counted deltas of the board's stretches into one row each. Readers see either the old rows
 * or the new; what is inserted meanwhile stays.
 */
export async function compactBoardCounts(db: Database): Promise<void> {
  await sql`
    with gone as (delete from standings_counts returning *)
    insert into standings_counts
    select campaign_id, rank_key, stretch, sum(people) from gone
    group by campaign_id, rank_key, stretch having sum(people) <> 0`.execute(db)
}
