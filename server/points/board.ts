import { sql } from 'kysely'
import type { Database, Tx } from '../platform/database.ts'

/**
 * Puts a verified participant on the board, with no points yet. A campaign that has not begun takes
 * everybody in when it does.
 */
export async function enterBoard(tx: Tx, campaignId: string, userId: string): Promise<void> {
  await sql`
    insert into standings (campaign_id, user_id)
    select id, ${userId}::uuid from campaigns where id = ${campaignId}
    on conflict do nothing`.execute(tx)
}

/** Takes somebody off the board (an administrator, say); the points stay in the ledger. */
export async function leaveBoard(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable('standings').set({ listed: false }).where('user_id', '=', userId).execute()
}

/** Puts everybody who is verified on the board of a campaign that has just begun. */
export async function openBoard(tx: Tx, campaignId: string): Promise<void> {
  await sql`
    insert into standings (campaign_id, user_id, listed)
    select ${campaignId}, u.id, u.role = 'user' and u.banned_at is null from users u
    where not exists (select from standings s where s.campaign_id = ${campaignId} and s.user_id = u.id)
    order by u.created_at, u.id
    -- Another node may put somebody on the board at this moment.
    on conflict do nothing`.execute(tx)
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
