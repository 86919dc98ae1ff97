import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'
import type { Attribution } from '#server/domain/journal/record.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { refuse, Refusal } from '#server/platform/refusal.ts'

type Task = 'freeze' | 'export' | 'reconcile'

/** A step of a run with its progress; `total` is null while unknown. */
export type Progress = { step: string; done: number; total: number | null }
export type Report = (progress: Progress) => void

/** Seconds without a heartbeat after which a run counts as interrupted. */
const RUN_LEASE_SECONDS = 30
const BEAT_INTERVAL_MS = 1_000

/** A heartbeat far in the future does not count: it was written before the clock was set back. */
export const IS_RUNNING = sql<boolean>`(
  r.ended_at is null and r.beat_at between now() - make_interval(secs => ${sql.lit(RUN_LEASE_SECONDS)})
    and now() + make_interval(secs => ${sql.lit(RUN_LEASE_SECONDS)}))`

/** `actor` is null for the operator on the command line. */
export type RunOptions = Attribution & {
  onProgress?: Report | undefined
  signal?: AbortSignal | undefined
}

/** Does one task of a campaign at a time, on all nodes, under a lease. @throws refusal `payout_busy`. */
export async function runAlone<T>(
  { db, campaign }: Pick<Deps, 'db' | 'campaign'>,
  { task, actor, onProgress }: { task: Task } & Pick<RunOptions, 'actor' | 'onProgress'>,
  work: (report: Report) => Promise<T>,
): Promise<T> {
  const runId = await startRun(db, campaign.id, task, actor)
  let latest: Progress = { step: 'start', done: 0, total: null }
  const beat = setInterval(() => {
    // The next heartbeat makes up for a lost one.
    void saveProgress(db, runId, latest).catch(() => {})
  }, BEAT_INTERVAL_MS)
  try {
    const result = await work((progress) => {
      latest = progress
      onProgress?.(progress)
    })
    await endRun(db, runId, null)
    return result
  } catch (error) {
    // Throw the error of the work even if it cannot be recorded: the run then counts as interrupted.
    await endRun(db, runId, error instanceof Refusal ? error.code : 'internal').catch(() => {})
    throw error
  } finally {
    clearInterval(beat)
  }
}

/** Locks the row of the last run, which must exist: no run starts before `tx` ends. @throws `payout_busy`. */
export async function excludeRuns(tx: Tx, campaignId: string): Promise<void> {
  const { rows } = await sql<{ isRunning: boolean }>`
    select ${IS_RUNNING} as "isRunning" from payout_runs r
    where campaign_id = ${campaignId} for update`.execute(tx)
  if (rows[0]?.isRunning) throw refuse('payout_busy')
}

async function startRun(db: Database, campaignId: string, task: Task, actor: string | null): Promise<string> {
  const id = newId()
  const { rows } = await sql`
    insert into payout_runs as r (campaign_id, id, task, started_by)
    values (${campaignId}, ${id}, ${task}, ${actor})
    on conflict (campaign_id) do update
      set id = excluded.id, task = excluded.task, started_by = excluded.started_by, step = default, done = default,
        total = null, started_at = now(), beat_at = now(), ended_at = null, refusal = null
      where not ${IS_RUNNING}
    returning 1`.execute(db)
  if (rows.length === 0) throw refuse('payout_busy')
  return id
}

const updateRun = (db: Database, id: string) =>
  db.updateTable('payout_runs').where('id', '=', id).where('ended_at', 'is', null)

const saveProgress = (db: Database, id: string, { step, done, total }: Progress) =>
  updateRun(db, id)
    .set({ step, done, total, beat_at: sql`now()` })
    .execute()

const endRun = (db: Database, id: string, refusal: string | null) =>
  updateRun(db, id)
    .set({ ended_at: sql`now()`, beat_at: sql`now()`, refusal })
    .execute()
