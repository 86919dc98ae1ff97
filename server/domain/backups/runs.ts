import { type Selectable, sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import type { BackupRuns } from '#server/platform/database/database.types.ts'
import { newId } from '#server/platform/database/ids.ts'
import { NOW } from '#server/platform/database/times.ts'

type RunKind = 'scheduled' | 'manual' | 'before_upgrade' | 'rehearsal' | 'restore'

export type FinishedRun = { taken_at?: Date; bytes?: number; error?: string }

/** @returns the id of the run. */
export async function beginRun(db: Database, kind: RunKind, file: string): Promise<string> {
  const id = newId()
  await db.insertInto('backup_runs').values({ id, kind, file }).execute()
  return id
}

export async function finishRun(db: Database, id: string, outcome: FinishedRun): Promise<void> {
  await db
    .updateTable('backup_runs')
    .set({ ...outcome, finished_at: NOW })
    .where('id', '=', id)
    .execute()
}

export type Run = Omit<Selectable<BackupRuns>, 'kind'> & { kind: RunKind }

/** The newest finished run of these kinds. Skips runs in the future, from before the clock was set back. */
export async function lastRun(db: Database, ...kinds: RunKind[]): Promise<Run | undefined> {
  return (await finishedRuns(db, kinds).executeTakeFirst()) as Run | undefined
}

/** Like {@link lastRun}, but skips failed runs. */
export async function lastSuccess(db: Database, ...kinds: RunKind[]): Promise<Run | undefined> {
  return (await finishedRuns(db, kinds).where('error', 'is', null).executeTakeFirst()) as Run | undefined
}

function finishedRuns(db: Database, kinds: RunKind[]) {
  return db
    .selectFrom('backup_runs')
    .selectAll()
    .where('kind', 'in', kinds)
    .where('finished_at', '<=', NOW)
    .orderBy('started_at', 'desc')
    .limit(1)
}

/** Whether `backup_runs` exists: commands also open databases from before migration 0030, which adds it. */
export async function canRecordRuns(db: Database): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('backup_runs') is not null as exists`.execute(db)
  return rows[0]?.exists ?? false
}
