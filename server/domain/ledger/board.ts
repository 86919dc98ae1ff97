import { sql } from 'kysely'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { type Job, type Outcome, enqueue, runDue } from '#server/platform/jobs.ts'

/** Adds verified participants to the leaderboard in this order. A campaign that has not begun adds all of them when it does. */
export async function addToLeaderboard(tx: Tx, campaignId: string, ...userIds: string[]): Promise<void> {
  await sql`
    insert into standings (campaign_id, user_id)
    select c.id, entering.id
    from campaigns c, unnest(${userIds}::uuid[]) with ordinality as entering (id, place)
    where c.id = ${campaignId} order by entering.place
    on conflict do nothing`.execute(tx)
}

/** Creates missing standings, looked up by primary key; only users with a standing can be credited. */
export async function ensureStandings(tx: Tx, campaignId: string, userIds: readonly string[]): Promise<void> {
  await sql`
    insert into standings (campaign_id, user_id, listed)
    select ${campaignId}, u.id, u.role = 'user' and u.banned_at is null from users u
    where u.id = any(${userIds}::uuid[])
      and not exists (select from standings s where s.campaign_id = ${campaignId} and s.user_id = u.id)
    order by u.id
    on conflict do nothing`.execute(tx)
}

/** Unlists a user from the leaderboard (an administrator, say). The ledger is unchanged. */
export async function removeFromLeaderboard(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable('standings').set({ listed: false }).where('user_id', '=', userId).execute()
}

/** Less than every id. */
const MIN_ID = '00000000-0000-0000-0000-000000000000'
/** Users added by one statement: few enough for the timeouts of requests. */
const BATCH_SIZE = 2_000

const BOARD_JOB = 'fill-board'

/**
 * Queues the filling of a campaign's leaderboard if some of the newest accounts are missing from it: the campaign
 * is new, or was not the current one on every node for a while.
 */
export async function fillBoardSoon(tx: Tx, campaignId: string): Promise<void> {
  // One index look-up for each user, as in addBatch.
  const { rows } = await sql`
    select from (select id from users order by id desc limit ${BATCH_SIZE}) newest
    where (select true from standings s where s.campaign_id = ${campaignId} and s.user_id = newest.id) is null
      and not exists (select from jobs where kind = ${BOARD_JOB} and done_at is null and dead_at is null
        and payload ->> 'campaignId' = ${campaignId})
    limit 1`.execute(tx)
  if (rows.length > 0) await enqueue(tx, { kind: BOARD_JOB, payload: { campaignId } })
}

/** Runs queued jobs. One that is interrupted is repeated, by any node. */
export function fillBoards(db: Database, stop?: AbortSignal): Promise<number> {
  const fill = async ({ payload }: Job): Promise<Outcome> => {
    await openBoard(db, (payload as { campaignId: string }).campaignId)
    return { done: true }
  }
  return runDue(db, BOARD_JOB, fill, { atOnce: 1, ...(stop ? { stop } : {}) })
}

/** Adds all verified users to a campaign's leaderboard, in order of registration. Idempotent. */
export async function openBoard(db: Database, campaignId: string): Promise<void> {
  let last: string | undefined = MIN_ID
  while (last) last = await addBatch(db, campaignId, last)
}

/** @returns the last id of the batch; undefined if it was empty. */
async function addBatch(db: Database, campaignId: string, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    with next as (select id, role, banned_at from users where id > ${after} order by id limit ${BATCH_SIZE}),
    entered as (
      insert into standings (campaign_id, user_id, listed)
      select ${campaignId}, n.id, n.role = 'user' and n.banned_at is null from next n
      -- One index look-up for each user; a join would read all standings every time.
      where (select true from standings s where s.campaign_id = ${campaignId} and s.user_id = n.id) is null
      order by n.id
      -- Another node may insert the same user concurrently.
      on conflict do nothing)
    select id from next order by id desc limit 1`.execute(db)
  return rows[0]?.id
}

/** Sums the deltas of each bucket into one row. Rows inserted concurrently stay as they are. */
export async function compactBoardCounts(db: Database): Promise<void> {
  await sql`
    with deleted as (delete from standings_counts returning *)
    insert into standings_counts
    select campaign_id, rank_key, bucket, sum(people) from deleted
    group by campaign_id, rank_key, bucket having sum(people) <> 0`.execute(db)
}
