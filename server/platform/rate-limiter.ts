import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from './database.ts'
import { refuse } from './refusal.ts'

/** `take` calls in a window of `seconds`; `lock` doubles the wait each time the budget is used up, to at most that. */
export type RateLimit = { take: number; seconds: number; lock?: { maxSeconds: number } }

export type Counted = { key: string; budget: RateLimit }

/**
 * Takes one from each budget, as {@link consume} does.
 * @throws refusal `rate_limited` with the seconds until the first full budget has room.
 */
export async function consumeAll(db: Database | Tx, ...counted: Counted[]): Promise<void> {
  const wait = await consume(db, ...counted)
  if (wait > 0) throw refuse('rate_limited', { retryAfter: wait })
}

/**
 * Whether a budget has room, without taking from it: for what counts only once it is known to have failed.
 * The caller sees to it that nobody else takes meanwhile.
 * @returns 0 when it has, else the seconds to wait.
 */
export async function retryAfter(db: Database | Tx, { key, budget }: Counted): Promise<number> {
  const full = await db
    .selectFrom('rate_limits')
    .select(secondsLeft)
    .where('key', '=', key)
    .where('count', '>=', budget.take)
    .where('resets_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return full?.seconds ?? 0
}

const secondsLeft = sql<number>`greatest(extract(epoch from resets_at - now()), 1)::float8`.as('seconds')

/** Gives one back, for a call that turned out not to count (a successful login, say). */
export async function refund(db: Database | Tx, key: string): Promise<void> {
  await db
    .updateTable('rate_limits')
    .set({ count: sql`greatest(count - 1, 0)` })
    .where('key', '=', key)
    .execute()
}

/** Forgets what was counted. */
export async function resetRateLimit(db: Database | Tx, key: string): Promise<void> {
  await db.deleteFrom('rate_limits').where('key', '=', key).execute()
}

/** Deletes what no longer limits anybody. Strikes are remembered for a day. */
export async function purgeRateLimits(db: Database): Promise<void> {
  await db
    .deleteFrom('rate_limits')
    .where('resets_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute()
}

/**
 * Takes one from each budget in turn, up to the first that is full: a caller who is over a budget does not use
 * up those behind it. Counted in the database: over all nodes, and still there after a crash. One statement, so
 * that of N parallel calls no more than the budget get through. No two may have the same key.
 * @returns 0 when taken from all, else the seconds until the full one has room.
 */
export async function consume(db: Database | Tx, ...counted: Counted[]): Promise<number> {
  if (counted.length === 0) return 0
  const step = (index: number) => sql.id(`taken_${index}`)
  const steps = counted.map((one, index) => {
    const before = index === 0 ? sql`true` : sql`exists (select from ${step(index - 1)})`
    return sql`${step(index)} as (${takeOne(one, before)})`
  })
  const sum = sql.join(
    steps.map((_, index) => sql`(select count(*) from ${step(index)})`),
    sql` + `,
  )
  const { rows } = await sql<{
    taken: number
  }>`with ${sql.join(steps)} select (${sum})::int as taken`.execute(db)
  const full = counted[rows[0]?.taken ?? 0]
  if (!full) return 0
  const waiting = await db
    .selectFrom('rate_limits')
    .select(secondsLeft)
    .where('key', '=', full.key)
    .executeTakeFirst()
  return waiting?.seconds ?? 1
}

/**
 * The call that takes the last one starts the wait: plain budgets keep their window, locking ones begin a new
 * wait that doubles with each strike. What is seen to be full is only read: the conflict below would lock its row,
 * and each refused call would wait for a commit to reach the disk.
 */
function takeOne({ key, budget: { take: most, seconds, lock } }: Counted, before: RawBuilder<unknown>) {
  const longest = lock?.maxSeconds ?? seconds
  return sql`
    insert into rate_limits as r (key, count, resets_at)
    select ${key}, 1, now() + make_interval(secs => ${seconds}) where ${before} and not exists (
      select from rate_limits where key = ${key} and count >= ${most} and resets_at > now())
    on conflict (key) do update set
      count = case when r.resets_at <= now() then 1 else r.count + 1 end,
      strikes = case
        when r.resets_at > now() and r.count + 1 = ${most} and ${lock !== undefined} then r.strikes + 1
        when r.resets_at < now() - interval '1 day' then 0
        else r.strikes end,
      resets_at = case
        when r.resets_at <= now() then now() + make_interval(secs => ${seconds})
        when r.count + 1 = ${most} and ${lock !== undefined}
          then now() + make_interval(secs => least(${seconds} * power(2, least(r.strikes, 20)), ${longest}))
        else r.resets_at end
    where r.resets_at <= now() or r.count < ${most}
    returning 1`
}
