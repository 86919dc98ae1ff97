import { sql, type UpdateObject } from 'kysely'
import type { Database, Tx } from './database.ts'
import type { DB } from './database.types.ts'
import { newId } from './ids.ts'

/**
 * Work owed, in the database: queued in the transaction that causes it, done at least once by any node
 * under a lease, tried again with the back-off below. Why not a library: docs/decisions/003.
 */
const LEASE_SECONDS = 45
const BACKOFF_SECONDS = [5, 30, 120, 600, 3600]
/** Keeps many failures from coming back at the same moment. */
const JITTER = 0.2
const KEEP_FINISHED = '7 days'

export type Job = { id: string; payload: unknown; attempts: number }

/** What became of a try. Anything thrown counts as `retry`. */
export type Outcome = { done: true } | { retry: string } | { dead: string }

/** Does one job. It may be called again for the same job after a crash: the job's id is stable. */
export type Worker = (job: Job) => Promise<Outcome>

type Queued = {
  kind: string
  payload: Record<string, unknown>
  /** When it may first run; now when absent. */
  runAt?: Date | undefined
  /** Past this it is dropped instead of done. */
  usefulUntil?: Date | undefined
}

/** Queues work in the caller's transaction. */
export async function queue(tx: Tx, job: Queued): Promise<string> {
  const id = newId()
  await tx
    .insertInto('jobs')
    .values({
      id,
      kind: job.kind,
      payload: JSON.stringify(job.payload),
      useful_until: job.usefulUntil ?? null,
      ...(job.runAt ? { run_at: job.runAt } : {}),
    })
    .execute()
  return id
}

/** Takes back work that has not been done. */
export async function cancel(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.deleteFrom('jobs').where('id', 'in', ids).where('done_at', 'is', null).execute()
}

/**
 * Does the jobs of one kind that are due, a few at a time, until none is left.
 * @returns how many were tried.
 */
export async function runDue(db: Database, kind: string, worker: Worker, atOnce = 4): Promise<number> {
  let tried = 0
  for (;;) {
    const jobs = await lease(db, kind, atOnce)
    if (jobs.length === 0) return tried
    tried += jobs.length
    await Promise.all(jobs.map((job) => work(db, job, worker)))
  }
}

/** Deletes finished work after a week, and drops work that stopped being useful. */
export async function purgeJobs(db: Database): Promise<void> {
  await db
    .deleteFrom('jobs')
    .where(sql<boolean>`coalesce(done_at, dead_at) < now() - ${sql.lit(KEEP_FINISHED)}::interval`)
    .execute()
}

async function lease(db: Database, kind: string, count: number): Promise<Job[]> {
  await dropUseless(db, kind)
  const { rows } = await sql<Job>`
    update jobs set leased_until = now() + make_interval(secs => ${LEASE_SECONDS}), attempts = attempts + 1
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

async function work(db: Database, job: Job, worker: Worker): Promise<void> {
  const outcome = await worker(job).catch((error: unknown): Outcome => ({ retry: String(error) }))
  if ('done' in outcome) await finish(db, job, { done_at: sql`now()`, last_error: null })
  else if ('dead' in outcome) await finish(db, job, { dead_at: sql`now()`, last_error: outcome.dead })
  else await finish(db, job, { run_at: nextTry(job.attempts), last_error: outcome.retry })
}

function nextTry(attempts: number) {
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
