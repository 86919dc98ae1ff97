import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type RawBuilder, sql, type UpdateObject } from 'kysely'
import type { Database, Tx } from '../database/database.ts'
import type { DB } from '../database/database.types.ts'
import { newId } from '../database/ids.ts'
import { NOW } from '../database/times.ts'

// A transactional outbox: jobs are queued in the transaction that causes them, and run at least once by any
// node, under a lease, with back-off. Why not a library: docs/decisions/003.

const LEASE_SECONDS = 45
/** How long a shutdown, which may take ten seconds in all, waits for jobs in progress. */
const GRACE_MS = 3_000
const BACKOFF_SECONDS = [5, 30, 120, 600, 3600]
/** The share by which delays vary at random, so that jobs that failed together are not retried together. */
const JITTER = 0.2
/** Jobs that run at once while people wait for the node: two, so that one that hangs does not stop all. */
const MAX_WHEN_BUSY = 2
const KEEP_FINISHED = '7 days'

/** The error of a dropped job. The migration 0049_announcement_mail_counts.sql compares with this text. */
export const USELESS = 'No longer useful.'

/** A leased job, as its worker gets it; `attempts` includes this one. */
export type Job = { id: string; payload: unknown; attempts: number }

/** Result of an attempt. A retry waits `afterSeconds`, or the back-off. A thrown error is a retry. */
export type Outcome = { done: true } | { retry: string; afterSeconds?: number } | { dead: string }

/** Runs a job, perhaps repeatedly with the same id. `signal` aborts when the lease ends or the node stops. */
export type Worker = (job: Job, signal: AbortSignal) => Promise<Outcome>

export type QueuedJob = {
  kind: string
  payload: Record<string, unknown>
  /** Earliest start; now by default. */
  runAt?: Date | undefined
  /** Dropped instead of run after this time. */
  usefulUntil?: Date | undefined
}

/** Queues a job in the caller's transaction. @returns its id. */
export async function enqueue(tx: Tx, job: QueuedJob): Promise<string> {
  const { rows } = await enqueueSql([job]).execute(tx)
  if (!rows[0]) throw new Error('The insert returned no row.')
  return rows[0].id
}

/** SQL that queues jobs if a condition holds. As a part of a larger statement, it keeps locks short. */
export function enqueueSql(jobs: readonly QueuedJob[], condition = sql`true`): RawBuilder<{ id: string }> {
  const rows = jobs.map(
    ({ kind, payload, runAt, usefulUntil }) =>
      sql`(${newId()}::uuid, ${kind}, ${JSON.stringify(payload)}::jsonb, coalesce(${runAt ?? null}::timestamptz, now()),
        ${usefulUntil ?? null}::timestamptz)`,
  )
  return sql`
    insert into jobs (id, kind, payload, run_at, useful_until)
    select * from (values ${sql.join(rows)}) job where ${condition} returning id`
}

/** Deletes jobs that have not been done. */
export async function cancel(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.deleteFrom('jobs').where('id', 'in', ids).where('done_at', 'is', null).execute()
}

export type RunOptions = {
  atOnce?: number
  /** While it returns true, only {@link MAX_WHEN_BUSY} jobs run at once. */
  isBusy?: (() => boolean) | undefined
  /** How often to lease further jobs while some are running. */
  pollMs?: number
  /** Stops leasing; running jobs have `graceMs` before their signal aborts. */
  stop?: AbortSignal | undefined
  graceMs?: number
  /** A job that takes longer counts as failed and may be retried by any node. */
  leaseSeconds?: number
}

/**
 * Runs the due jobs of one kind until none is left. A job that hangs occupies one of the `atOnce` places, and
 * only for its lease.
 * @returns the number of attempts.
 */
export async function runDue(
  db: Database,
  kind: string,
  worker: Worker,
  options: RunOptions = {},
): Promise<number> {
  const { atOnce = 4, isBusy, pollMs = 1_000, leaseSeconds = LEASE_SECONDS } = options
  const { stop, graceMs = GRACE_MS } = options
  let attempted = 0
  const running = new Set<Promise<void>>()
  const shutdown = new AbortController()
  const limits = { leaseSeconds, shutdown: shutdown.signal }
  const onStop = () => setTimeout(() => shutdown.abort(), graceMs).unref()
  stop?.addEventListener('abort', onStop)
  const countPlaces = () => {
    if (stop?.aborted) return 0
    return isBusy?.() ? Math.min(MAX_WHEN_BUSY, atOnce) : atOnce
  }
  try {
    for (;;) {
      const free = countPlaces() - running.size
      const jobs = free > 0 ? await lease(db, kind, free, leaseSeconds) : []
      attempted += jobs.length
      for (const job of jobs) {
        const run = runJob(db, job, worker, limits).finally(() => running.delete(run))
        running.add(run)
      }
      if (running.size === 0) return attempted
      await Promise.race([...running, pause(pollMs, undefined, { ref: false })])
    }
  } finally {
    await Promise.allSettled(running)
    stop?.removeEventListener('abort', onStop)
  }
}

export async function purgeJobs(db: Database): Promise<void> {
  await db
    .deleteFrom('jobs')
    // Implied by the next condition, but the index jobs_finished is used only if it is stated.
    .where(({ or, eb }) => or([eb('done_at', 'is not', null), eb('dead_at', 'is not', null)]))
    .where(sql<boolean>`coalesce(done_at, dead_at) < now() - ${sql.lit(KEEP_FINISHED)}::interval`)
    .execute()
}

/** Drops jobs that are no longer useful, then leases due ones. Uses `jobs_due` and `jobs_expiring`. */
async function lease(db: Database, kind: string, count: number, seconds: number): Promise<Job[]> {
  const { rows } = await sql<Job>`
    with dropped as (
      update jobs set dead_at = now(), last_error = ${USELESS}
      where kind = ${kind} and done_at is null and dead_at is null and useful_until < now())
    update jobs set leased_until = now() + make_interval(secs => ${seconds}), attempts = attempts + 1
    where id in (
      select id from jobs
      where kind = ${kind} and done_at is null and dead_at is null and run_at <= now()
        and ${isFree(seconds)}
        and (useful_until is null or useful_until >= now())
      order by run_at limit ${count} for update skip locked)
    returning id, payload, attempts`.execute(db)
  return rows
}

/**
 * Whether no worker owns the job. A lease that ends more than twice `leaseSeconds` ahead does not count: it
 * was given before the clock was set back. Twice, because `now()` is the time at which this transaction
 * began, and a lease may have been given since.
 */
export const isFree = (leaseSeconds: number) => sql<boolean>`(leased_until is null or leased_until < now()
  or leased_until > now() + make_interval(secs => ${sql.lit(2 * leaseSeconds)}))`

type Limits = { leaseSeconds: number; shutdown: AbortSignal }

async function runJob(db: Database, job: Job, worker: Worker, limits: Limits): Promise<void> {
  const leaseEnd = AbortSignal.timeout(limits.leaseSeconds * 1_000)
  const expired = once(leaseEnd, 'abort').then((): Outcome => ({ retry: 'It took longer than its lease.' }))
  const signal = AbortSignal.any([leaseEnd, limits.shutdown])
  const attempt = Promise.try(worker, job, signal).catch((error): Outcome => ({ retry: String(error) }))
  const outcome = await Promise.race([attempt, expired])
  await db
    .updateTable('jobs')
    .set({ leased_until: null, ...changesBy(outcome, job) })
    .where('id', '=', job.id)
    // If our lease expired meanwhile, another worker owns the job and its result counts.
    .where('attempts', '=', job.attempts)
    .execute()
}

function changesBy(outcome: Outcome, { attempts }: Job): UpdateObject<DB, 'jobs'> {
  if ('done' in outcome) return { done_at: NOW, last_error: null }
  if ('dead' in outcome) return { dead_at: NOW, last_error: storable(outcome.dead) }
  return { run_at: nextRunAt(attempts, outcome.afterSeconds), last_error: storable(outcome.retry) }
}

/** PostgreSQL cannot store NUL, and a service may answer anything. */
const storable = (reason: string) => reason.replaceAll('\0', '')

function nextRunAt(attempts: number, afterSeconds: number | undefined) {
  // Jitter only adds here, because the service has asked not to be called earlier.
  if (afterSeconds !== undefined)
    return sql<Date>`now() + make_interval(secs => ${afterSeconds} * (1 + random() * ${JITTER}))`
  const base = BACKOFF_SECONDS[Math.min(attempts, BACKOFF_SECONDS.length) - 1] ?? 0
  return sql<Date>`now() + make_interval(secs => ${base} * (1 + (random() * 2 - 1) * ${JITTER}))`
}
