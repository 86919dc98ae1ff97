import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type RawBuilder, sql, type UpdateObject } from 'kysely'
import type { Database, Tx } from './database.ts'
import type { DB } from './database.types.ts'
import { newId } from './ids.ts'

/**
 * Work owed, in the database: queued in the transaction that causes it, done at least once by any node
 * under a lease, tried again with the back-off below. Why not a library: docs/decisions/003.
 */
const LEASE_SECONDS = 45
/** Milliseconds: a stop takes less than ten seconds. */
const GRACE = 3_000
const BACKOFF_SECONDS = [5, 30, 120, 600, 3600]
/** Keeps many failures from coming back at the same moment. */
const JITTER = 0.2
const KEEP_FINISHED = '7 days'

export type Job = { id: string; payload: unknown; attempts: number }

/**
 * What became of a try. Anything thrown counts as `retry`, which comes again by the back-off, or after as
 * many seconds as it says.
 */
export type Outcome = { done: true } | { retry: string; after?: number } | { dead: string }

/**
 * Does one job. It may be called again for the same job after a crash: the job's id is stable. `cut` says that
 * nobody waits for it any more: its lease is over, or the node has to stop.
 */
export type Worker = (job: Job, cut: AbortSignal) => Promise<Outcome>

export type QueuedJob = {
  kind: string
  payload: Record<string, unknown>
  /** When it may first run; now when absent. */
  runAt?: Date | undefined
  /** Past this it is dropped instead of done. */
  usefulUntil?: Date | undefined
}

/** Queues work in the caller's transaction. */
export async function enqueue(tx: Tx, job: QueuedJob): Promise<string> {
  const { rows } = await enqueueing([job]).execute(tx)
  if (!rows[0]) throw new Error('What is inserted is returned.')
  return rows[0].id
}

/** The same for several as a part of a larger statement: for where others wait for a lock. */
export function enqueueing(jobs: readonly QueuedJob[]): RawBuilder<{ id: string }> {
  const rows = jobs.map(
    ({ kind, payload, runAt, usefulUntil }) =>
      sql`(${newId()}::uuid, ${kind}, ${JSON.stringify(payload)}::jsonb, coalesce(${runAt ?? null}::timestamptz, now()),
        ${usefulUntil ?? null}::timestamptz)`,
  )
  return sql`insert into jobs (id, kind, payload, run_at, useful_until) values ${sql.join(rows)} returning id`
}

/** Takes back work that has not been done. */
export async function cancel(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.deleteFrom('jobs').where('id', 'in', ids).where('done_at', 'is', null).execute()
}

type Pace = {
  /** How many at once. */
  atOnce?: number
  /** Milliseconds after which a free place looks for new work while another is still busy. */
  lookEvery?: number
  /** Ends the leasing of further jobs; those under way have `grace` milliseconds to finish, and are then cut. */
  stop?: AbortSignal
  grace?: number
  /** Seconds that a job may take; then it counts as failed, its place is free, and any node may try it again. */
  leaseSeconds?: number
}

/**
 * Does the jobs of one kind that are due, a few at a time, until none is left. A job that hangs keeps its
 * own place and nobody else's, and that no longer than its lease.
 * @returns how many were tried.
 */
export async function runDue(
  db: Database,
  kind: string,
  worker: Worker,
  { atOnce = 4, lookEvery = 1_000, stop, grace = GRACE, leaseSeconds = LEASE_SECONDS }: Pace = {},
): Promise<number> {
  let tried = 0
  const busy = new Set<Promise<void>>()
  const cut = new AbortController()
  const hold = { leaseSeconds, cut: cut.signal }
  const onStop = () => setTimeout(() => cut.abort(), grace).unref()
  stop?.addEventListener('abort', onStop)
  try {
    for (;;) {
      const free = stop?.aborted ? 0 : atOnce - busy.size
      const jobs = free > 0 ? await lease(db, kind, free, leaseSeconds) : []
      tried += jobs.length
      for (const job of jobs) {
        const place = work(db, job, worker, hold).finally(() => busy.delete(place))
        busy.add(place)
      }
      if (busy.size === 0) return tried
      await Promise.race([...busy, pause(lookEvery, undefined, { ref: false })])
    }
  } finally {
    await Promise.allSettled(busy)
    stop?.removeEventListener('abort', onStop)
  }
}

/** Deletes finished work after a week, and drops work that stopped being useful. */
export async function purgeJobs(db: Database): Promise<void> {
  await db
    .deleteFrom('jobs')
    .where(sql<boolean>`coalesce(done_at, dead_at) < now() - ${sql.lit(KEEP_FINISHED)}::interval`)
    .execute()
}

async function lease(db: Database, kind: string, count: number, seconds: number): Promise<Job[]> {
  await dropUseless(db, kind)
  const { rows } = await sql<Job>`
    update jobs set leased_until = now() + make_interval(secs => ${seconds}), attempts = attempts + 1
    where id in (
      select id from jobs
      where kind = ${kind} and done_at is null and dead_at is null and run_at <= now()
        and (leased_until is null or leased_until < now())
      order by run_at limit ${count} for update skip locked)
    returning id, payload, attempts`.execute(db)
  return rows
}

async function dropUseless(db: Database, kind: string): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ dead_at: sql`now()`, last_error: 'No longer useful.' })
    .where('kind', '=', kind)
    .where('done_at', 'is', null)
    .where('dead_at', 'is', null)
    .where('useful_until', '<', sql<Date>`now()`)
    .execute()
}

type Hold = { leaseSeconds: number; cut: AbortSignal }

async function work(db: Database, job: Job, worker: Worker, hold: Hold): Promise<void> {
  const limit = AbortSignal.timeout(hold.leaseSeconds * 1_000)
  const over = once(limit, 'abort').then((): Outcome => ({ retry: 'It took longer than its lease.' }))
  const tried = worker(job, AbortSignal.any([limit, hold.cut])).catch((error: unknown): Outcome => ({
    retry: String(error),
  }))
  const outcome = await Promise.race([tried, over])
  if ('done' in outcome) await finish(db, job, { done_at: sql`now()`, last_error: null })
  else if ('dead' in outcome) await finish(db, job, { dead_at: sql`now()`, last_error: outcome.dead })
  else await finish(db, job, { run_at: nextTry(job.attempts, outcome.after), last_error: outcome.retry })
}

function nextTry(attempts: number, after: number | undefined) {
  // Never earlier than was asked for.
  if (after !== undefined)
    return sql<Date>`now() + make_interval(secs => ${after} * (1 + random() * ${JITTER}))`
  const base = BACKOFF_SECONDS[Math.min(attempts, BACKOFF_SECONDS.length) - 1] ?? 0
  return sql<Date>`now() + make_interval(secs => ${base} * (1 + (random() * 2 - 1) * ${JITTER}))`
}

async function finish(db: Database, job: Job, changes: UpdateObject<DB, 'jobs'>): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ leased_until: null, ...changes })
    .where('id', '=', job.id)
    // Somebody else holds it when our lease ran out meanwhile: their result counts.
    .where('attempts', '=', job.attempts)
    .execute()
}
