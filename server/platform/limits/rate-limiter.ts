import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from '../database/database.ts'
import { plannedOnce } from '../database/planned-once.ts'
import { ago, NOW } from '../database/times.ts'
import { refuse } from '../refusal.ts'

// Rate limits are counted in the database, by its clock. Why not a library: docs/decisions/024.

/** `take` calls in `seconds`; `lock` doubles the wait each time the limit is reached, up to `maxSeconds`. */
export type RateLimit = { take: number; seconds: number; lock?: { maxSeconds: number } }

export type CountedLimit = { key: string; limit: RateLimit }

/** Like {@link consume}, but throws the refusal `rate_limited` with the seconds to wait. */
export async function consumeOrRefuse(db: Database | Tx, ...limits: CountedLimit[]): Promise<void> {
  const waitSeconds = await consume(db, ...limits)
  if (waitSeconds > 0) throw refuse('rate_limited', { retryAfter: waitSeconds })
}

/** Consumes a call of each limit until one is exceeded. @returns the seconds to wait for that one, or 0. */
export async function consume(db: Database | Tx, ...limits: CountedLimit[]): Promise<number> {
  return (await consumeInOrder(db, limits))?.waitSeconds ?? 0
}

type Exceeded = { index: number; waitSeconds: number }

/**
 * Like {@link consume}, but also tells which limit was exceeded. All nodes share the counts. Concurrent calls
 * cannot exceed a limit, because a single statement counts them. Keys must be distinct.
 */
export async function consumeInOrder(
  db: Database | Tx,
  limits: readonly CountedLimit[],
): Promise<Exceeded | undefined> {
  if (limits.length === 0) return undefined
  const step = (index: number) => sql.id(`taken_${index}`)
  const steps = limits.map((counted, index) => {
    // A step returns a row if it has consumed a call, and only then does the next one consume.
    const condition = index === 0 ? sql`true` : sql`exists (select from ${step(index - 1)})`
    return sql`${step(index)} as (${consumeOne(counted, condition)})`
  })
  const counts = steps.map((_, index) => sql`(select count(*) from ${step(index)})`)
  const { rows } = await sql<{ consumed: number }>`
    with ${sql.join(steps)} select (${sql.join(counts, sql` + `)})::int as consumed`.execute(plannedOnce(db))
  // The exceeded limit follows those that were consumed.
  const index = rows[0]?.consumed ?? 0
  const full = limits[index]
  if (!full) return undefined
  const exceeded = await db
    .selectFrom('rate_limits')
    .select(secondsLeft)
    .where('key', '=', full.key)
    .executeTakeFirst()
  return { index, waitSeconds: exceeded?.seconds ?? 1 } // 1 if it was reset meanwhile.
}

/**
 * The statement that consumes one call if a condition holds. Uses the primary key. The call that reaches the
 * limit starts the wait. A plain limit lasts until its window ends. A locking one starts a new wait, twice as
 * long with each strike up to the 20th. An exceeded limit is only read: `on conflict` would lock its row, and
 * every refused call would wait for a commit.
 */
function consumeOne(
  { key, limit: { take: max, seconds, lock } }: CountedLimit,
  condition: RawBuilder<unknown>,
) {
  const maxSeconds = lock?.maxSeconds ?? seconds
  return sql`
    insert into rate_limits as r (key, count, resets_at)
    select ${key}, 1, now() + make_interval(secs => ${seconds}) where ${condition} and not exists (
      select from rate_limits where key = ${key} and count >= ${max} and resets_at > now())
    on conflict (key) do update set
      count = case when r.resets_at <= now() then 1 else r.count + 1 end,
      strikes = case
        when r.resets_at > now() and r.count + 1 = ${max} and ${lock !== undefined} then r.strikes + 1
        when r.resets_at < now() - interval '1 day' then 0
        else r.strikes end,
      resets_at = case
        when r.resets_at <= now() then now() + make_interval(secs => ${seconds})
        when r.count + 1 = ${max} and ${lock !== undefined}
          then now() + make_interval(secs => least(${seconds} * power(2, least(r.strikes, 20)), ${maxSeconds}))
        else r.resets_at end
    where r.resets_at <= now() or r.count < ${max}
    returning 1`
}

/** For calls that count only once they have failed. The caller must hold a lock against concurrent calls. */
export async function readWaitSeconds(db: Database | Tx, { key, limit }: CountedLimit): Promise<number> {
  const full = await db
    .selectFrom('rate_limits')
    .select(secondsLeft)
    .where('key', '=', key)
    .where('count', '>=', limit.take)
    .where('resets_at', '>', NOW)
    .executeTakeFirst()
  return full?.seconds ?? 0
}

const secondsLeft = sql<number>`greatest(extract(epoch from resets_at - now()), 1)::float8`.as('seconds')

/**
 * Gives back one call of each key because it turned out not to count, such as a successful login. Then resets
 * the key `reset` ({@link resetRateLimit}), in the same statement. Rows are locked in the order of `keys`:
 * pass these in the order in which they were consumed, so that refunds and calls cannot deadlock.
 */
export async function refund(
  db: Database | Tx,
  keys: readonly string[],
  { reset }: { reset?: string } = {},
): Promise<void> {
  const step = (index: number) => sql.id(`returned_${index}`)
  // Always true, but a statement that reads the result of the previous one runs after it.
  const after = (index: number) =>
    index === 0 ? sql`` : sql`and (select count(*) from ${step(index - 1)}) >= 0`
  const refunds = keys.map(
    (key, index) =>
      sql`update rate_limits set count = greatest(count - 1, 0) where key = ${key} ${after(index)} returning 1`,
  )
  const deletion = sql`delete from rate_limits where key = ${reset} ${after(keys.length)} returning 1`
  const steps = (reset === undefined ? refunds : [...refunds, deletion]).map(
    (statement, index) => sql`${step(index)} as (${statement})`,
  )
  if (steps.length > 0) await sql`with ${sql.join(steps)} select`.execute(plannedOnce(db))
}

/** Clears the count and the strikes (how often in a row a locking limit was reached). */
export async function resetRateLimit(db: Database | Tx, key: string): Promise<void> {
  await db.deleteFrom('rate_limits').where('key', '=', key).execute()
}

/** Deletes expired limits. Strikes are kept for a day. */
export async function purgeRateLimits(db: Database): Promise<void> {
  await db.deleteFrom('rate_limits').where('resets_at', '<', ago('1 day')).execute()
}
