import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { assertWritable, makeFolder } from '#server/platform/database/data-dir.ts'
import type { Database } from '#server/platform/database/database.ts'
import { tryHoldLock } from '#server/platform/database/archive/session.ts'
import { explainWriting, NotWritable } from '#server/platform/file-problems.ts'
import { PARTIAL } from '#server/platform/whole-file.ts'
import { backUp, type BackUpSource, type WrittenBackup } from './back-up.ts'
import { beginRun, finishRun } from './runs.ts'

type KeptBackups = {
  folder: string
  /** How many backups of each kind stay: scheduled, and before upgrades. At least 1. */
  keep: number
}
type BackupPlan = KeptBackups & { everyHours: number }

const RUN_LOCK = 5_369_371 // a number that no other lock has
const RETRY_AFTER = '15 minutes'

/**
 * Writes the scheduled backup if one is due, and removes the oldest. Meanwhile, no other call does anything.
 * @returns the backup; undefined if none was due.
 * @throws if the backup failed (its run has the reason), or if an old backup could not be removed.
 */
export async function backUpIfDue(
  db: Database,
  source: BackUpSource,
  plan: BackupPlan,
  signal?: AbortSignal,
): Promise<WrittenBackup | undefined> {
  // A cheap check before taking the lock: usually, nothing is due.
  if (!(await isDue(db, plan))) return undefined
  const release = await tryHoldLock(source.url, RUN_LOCK)
  if (!release) return undefined
  try {
    if (!(await isDue(db, plan))) return undefined // another node has written the backup in between
    const file = path.join(plan.folder, await readFileName(db))
    const written = await backUpAndRecord(db, source, file, signal)
    await rotate(plan, 'scheduled', path.basename(file))
    return written
  } finally {
    await release()
  }
}

async function backUpAndRecord(
  db: Database,
  source: BackUpSource,
  file: string,
  signal: AbortSignal | undefined,
): Promise<WrittenBackup> {
  const id = await beginRun(db, 'scheduled', file)
  try {
    const written = await backUp(source, file, signal)
    await finishRun(db, id, { taken_at: written.takenAt, bytes: written.bytes })
    return written
  } catch (error) {
    // A backup that a shutdown interrupts has not failed: it stays unfinished, and due.
    if (!signal?.aborted)
      await finishRun(db, id, { error: error instanceof Error ? error.message : String(error) })
    throw error
  }
}

/** Ignores runs in the future, from before the clock was set back. */
async function isDue(db: Database, { everyHours }: BackupPlan): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`
    select not exists (
      select from backup_runs where kind = 'scheduled' and finished_at <= now()
        and case when error is null then started_at > now() - make_interval(hours => ${everyHours})
          else finished_at > now() - ${sql.lit(RETRY_AFTER)}::interval end) as "isDue"`.execute(db)
  return rows[0]?.isDue ?? false
}

/** A file name that sorts by time, by the database's clock, which all nodes share. */
async function readFileName(db: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24-MI-SS"Z"') as name`.execute(db)
  return nameWith(rows[0]?.name ?? '', 'scheduled')
}

const SUFFIXES = { scheduled: '.backup', before_upgrade: '.before-upgrade.backup' } as const
type RotatedKind = keyof typeof SUFFIXES

const nameWith = (time: string, kind: RotatedKind) => `dropwright-${time}${SUFFIXES[kind]}`
const NAME_START = /^dropwright-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ/

const isOfKind = (name: string, kind: RotatedKind) =>
  NAME_START.test(name) && name.replace(NAME_START, '') === SUFFIXES[kind]

/** How long ago the last write to an unfinished file was. */
const ABANDONED_AFTER_MS = 60 * 60_000

/** Removes all but the newest backups of a kind, and abandoned unfinished files. */
async function rotate({ folder, keep }: KeptBackups, kind: RotatedKind, newestName: string): Promise<void> {
  const names = (await readdir(folder)).toSorted()
  const backups = names.filter((name) => isOfKind(name, kind))
  // Names later than the newest backup's are from before the clock was set back. They are removed first.
  const oldestFirst = [
    ...backups.filter((name) => name > newestName),
    ...backups.filter((name) => name <= newestName),
  ]
  for (const name of oldestFirst.slice(0, -keep)) await rm(path.join(folder, name), { force: true })
  for (const name of names.filter((each) => NAME_START.test(each) && each.includes(PARTIAL))) {
    const file = path.join(folder, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Infinity }))
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(file, { force: true })
  }
}

/** @param onWarning receives why old backups could not be removed; the program starts all the same. */
export async function backUpBeforeUpgrade(
  source: BackUpSource,
  kept: KeptBackups,
  onWarning: (line: string) => void,
): Promise<WrittenBackup> {
  await prepareFolder(kept.folder)
  const time = new Date()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')
  const name = nameWith(time, 'before_upgrade')
  const written = await backUp(source, path.join(kept.folder, name))
  await rotate(kept, 'before_upgrade', name).catch((error: Error) =>
    onWarning(`Old backups could not be removed from ${kept.folder}: ${error.message}`),
  )
  return written
}

/** Creates BACKUP_DIR. @throws NotWritable when nothing can be written there. */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await explainWriting(folder, async () => {
      await makeFolder(folder, 0o700)
      await assertWritable(folder)
    })
  } catch (error) {
    const { message, cause } = error as Error
    // The usual message for this code, that the file is never replaced, does not fit a folder.
    const isFile = (cause as NodeJS.ErrnoException | undefined)?.code === 'EEXIST'
    const problem = isFile ? `${folder} is a file, not a folder. Choose another one.` : message
    throw new NotWritable(`BACKUP_DIR: ${problem}`, { cause: error })
  }
}
