import { sql } from 'kysely'
import { tryLock } from '#server/platform/database/advisory-lock.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { MIN_ID } from '#server/platform/database/ids.ts'
import { type Job, type Outcome, enqueue, runDue } from '#server/platform/jobs/jobs.ts'

/** Does nothing before the campaign is in the database: {@link fillBoardSoon} adds everyone later. */
export async function addToLeaderboard(tx: Tx, campaignId: string, ...userIds: string[]): Promise<void> {
  await sql`
    insert into standings (campaign_id, user_id)
    select c.id, entering.id
    from campaigns c, unnest(${userIds}::uuid[]) with ordinality as entering (id, place)
    where c.id = ${campaignId} order by entering.place
    on conflict do nothing`.execute(tx)
}

/**
 * Creates missing standings (balances), without which users cannot be credited. Locks these users: a
 * concurrent ban or change of role is either seen here, or waits and then finds the standing.
 */
export async function ensureStandings(tx: Tx, campaignId: string, userIds: readonly string[]): Promise<void> {
  await sql`
    with missing as (
      select u.id, u.role, u.banned_at from users u
      where u.id = any(${userIds}::uuid[])
        and not exists (select from standings s where s.campaign_id = ${campaignId} and s.user_id = u.id)
      order by u.id for key share)
    insert into standings (campaign_id, user_id, listed)
    select ${campaignId}, m.id, m.role = 'user' and m.banned_at is null from missing m order by m.id
    on conflict do nothing`.execute(tx)
}

/**
 * Lists a user on the leaderboards of all campaigns, or takes them off, for example when they are banned. The
 * ledger is unchanged. The join with `campaigns` makes each standing one look-up in `standings_pkey`.
 */
export async function setOnLeaderboard(tx: Tx, userId: string, isListed: boolean): Promise<void> {
  await sql`
    update standings s set listed = ${isListed} from campaigns c
    where s.campaign_id = c.id and s.user_id = ${userId} and s.listed <> ${isListed}`.execute(tx)
}

/** Users added by one statement: few enough for the statement timeout. */
const BATCH_SIZE = 2_000

const BOARD_JOB = 'fill-board'

/**
 * Queues the filling of a campaign's leaderboard if it lacks some of the newest accounts. That happens if the
 * campaign is new, or if another campaign was current on some node.
 */
export async function fillBoardSoon(tx: Tx, campaignId: string): Promise<void> {
  // `(select …) is null` is one index look-up for each user. A join would read all standings.
  const { rows } = await sql`
    select from (select id from users order by id desc limit ${BATCH_SIZE}) newest
    where (select true from standings s where s.campaign_id = ${campaignId} and s.user_id = newest.id) is null
      and not exists (select from jobs where kind = ${BOARD_JOB} and done_at is null and dead_at is null
        and payload ->> 'campaignId' = ${campaignId})
    limit 1`.execute(tx)
  if (rows.length > 0) await enqueue(tx, { kind: BOARD_JOB, payload: { campaignId } })
}

/** Runs the jobs that {@link fillBoardSoon} queued. After a shutdown, any node can run a job again. */
export function fillBoards(db: Database, stop?: AbortSignal): Promise<number> {
  const fill = async ({ payload }: Job): Promise<Outcome> => {
    const isFilled = await fillBoard(db, (payload as { campaignId: string }).campaignId, stop)
    return isFilled ? { done: true } : { retry: 'The node shut down.', afterSeconds: 0 }
  }
  return runDue(db, BOARD_JOB, fill, { atOnce: 1, stop })
}

/** Adds all verified users in order of registration. Idempotent. @returns false if `stop` aborted it. */
export async function fillBoard(db: Database, campaignId: string, stop?: AbortSignal): Promise<boolean> {
  let lastId: string | undefined = MIN_ID
  while (lastId) {
    if (stop?.aborted) return false
    lastId = await addBatch(db, campaignId, lastId)
  }
  return true
}

/** @returns the last id of the batch; undefined if it was empty. */
async function addBatch(db: Database, campaignId: string, afterId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    with next as (
      -- Locked for the reason in ensureStandings.
      select id, role, banned_at from users where id > ${afterId} order by id limit ${BATCH_SIZE} for key share),
    entered as (
      insert into standings (campaign_id, user_id, listed)
      select ${campaignId}, n.id, n.role = 'user' and n.banned_at is null from next n
      -- One index look-up for each user, as in fillBoardSoon.
      where (select true from standings s where s.campaign_id = ${campaignId} and s.user_id = n.id) is null
      order by n.id
      -- Another node may insert the same user concurrently.
      on conflict do nothing)
    select id from next order by id desc limit 1`.execute(db)
  return rows[0]?.id
}

const COMPACTION_LOCK = 5_369_018 // Any number that no other advisory lock has.
/** Changes compacted by one statement: few enough for the statement timeout. */
const COMPACTION_SIZE = 5_000

/**
 * Adds what triggers have recorded in `standings_changes` to the counts of listed participants, until no
 * changes are left. Nothing else writes to the counts. Returns at once while another node compacts.
 */
export async function compactBoardCounts(db: Database): Promise<void> {
  while (await hasChanges(db)) {
    const hasLock = await compactBatch(db)
    if (!hasLock) return
  }
}

async function hasChanges(db: Database): Promise<boolean> {
  const change = await db.selectFrom('standings_changes').select('people').limit(1).executeTakeFirst()
  return change !== undefined
}

/** @returns false while another node holds the lock. */
function compactBatch(db: Database): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (!(await tryLock(tx, COMPACTION_LOCK))) return false
    // Hash and merge joins would read all counts.
    await sql`set local enable_hashjoin = off`.execute(tx)
    await sql`set local enable_mergejoin = off`.execute(tx)
    await mergeChanges.execute(tx)
    return true
  })
}

/**
 * Moves changes to two tables. `standings_totals` counts the participants with equal points; `rank_key` is
 * minus the points. `standings_counts` divides these participants into buckets by when they reached their
 * points. The parts of a bucket are the 64 buckets below it; the top level has one bucket with any number of
 * parts. `part` is a part's place in its bucket. `upto`, and `people` in `changed`, are running sums over the
 * parts of a bucket. Uses the index `standings_counts_pkey`.
 */
const mergeChanges = sql`
  with compacted as (
    delete from standings_changes where ctid = any(array(select ctid from standings_changes limit ${COMPACTION_SIZE}))
    returning *),
  totals as (
    insert into standings_totals
    select campaign_id, coalesce(array_agg(rank_key order by rank_key) filter (where people <> 0), '{}'),
      coalesce(array_agg(upto order by rank_key) filter (where people <> 0), '{}')
    from (
      select campaign_id, rank_key, sum(people) as people,
        (sum(sum(people)) over (partition by campaign_id order by rank_key))::integer as upto
      from (
        select campaign_id, rank_key, people from compacted
        union all
        select campaign_id, t.rank_key, t.upto - coalesce(standings_totals.upto[place - 1], 0)
        from standings_totals, unnest(rank_keys, upto) with ordinality t (rank_key, upto, place)
        where campaign_id in (select campaign_id from compacted)) counted
      group by campaign_id, rank_key) counted
    group by campaign_id
    on conflict (campaign_id) do update set rank_keys = excluded.rank_keys, upto = excluded.upto),
  changed as (
    select campaign_id, level, rank_key, bucket,
      array_agg(part order by part) as parts, array_agg(people order by part) as people
    from (
      select campaign_id, level, rank_key, bucket, part,
        (sum(sum(people)) over (partition by campaign_id, level, rank_key, bucket order by part))::integer as people
      from (
        select campaign_id, level, rank_key, above.bucket, people,
          ((c.bucket >> 6 * (level - 1)) - (above.bucket << 6))::integer as part
        from compacted c, generate_series(1, 3) level,
          lateral (select case level when 3 then 0 else c.bucket >> 6 * level end) above (bucket)) counted
      group by campaign_id, level, rank_key, bucket, part) summed
    group by campaign_id, level, rank_key, bucket)
  merge into standings_counts c
  using (select d.*, add_to_counts(old.upto, d.parts, d.people) as upto
    from changed d left join standings_counts old using (campaign_id, level, rank_key, bucket)) d
  on c.campaign_id = d.campaign_id and c.level = d.level and c.rank_key = d.rank_key and c.bucket = d.bucket
  when matched and 0 = all(d.upto) then delete
  when matched then update set upto = d.upto
  when not matched and not 0 = all(d.upto) then insert values (d.campaign_id, d.level, d.rank_key, d.bucket, d.upto)`
