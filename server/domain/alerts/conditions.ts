import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Alert } from '#contract/dashboard/alerts.ts'
import { lastRun, lastSuccess } from '#server/domain/backups/runs.ts'
import { MIN_FAILING_DOMAINS, readRefusedMail, readStuckMail } from '#server/domain/mail/backlog.ts'
import type { Database } from '#server/platform/database/database.ts'

export const ALERT_TEMPLATES = ['alert-raised', 'alert-cleared'] as const

export type Problem = Pick<Alert, 'condition' | 'place' | 'facts'>

export type WatchedDeployment = {
  dataDir: string
  /** Absent if no backups are scheduled. */
  backups?: { folder: string; everyHours: number } | undefined
  /** Bytes that this process can still write on a folder's disk. */
  freeBytes: (folder: string) => Promise<number>
  diskWaitMs?: number
  machine: string
  /** How long this process has been running. */
  uptimeSeconds: () => number
}

/** Enough for a new process to make a backup, overdue because no node ran or an old one was restored. */
const BACKUP_TIME_SECONDS = 300

/** Whether a node can tell that backups fail: it makes them, and has had the time to make one. */
export const judgesBackups = ({ backups, uptimeSeconds }: WatchedDeployment): boolean =>
  backups !== undefined && uptimeSeconds() >= BACKUP_TIME_SECONDS

/** Problems of the whole deployment, whose `place` is empty, and of this machine's disks. */
export async function findProblems(db: Database, watched: WatchedDeployment): Promise<Problem[]> {
  const problems = await Promise.all([
    findUnsentMail(db),
    findLowDisks(watched),
    watched.backups && judgesBackups(watched) ? findFailedBackup(db, watched.backups.everyHours) : [],
    findDeadJobs(db),
  ])
  return problems.flat()
}

/**
 * Finds emails that are stuck or, if none are, emails that the mail server has refused. If only one or two
 * domains answer with errors, the fault is probably theirs. Ignores stuck emails about alerts: an alert that
 * cannot be delivered must not prolong itself.
 */
async function findUnsentMail(db: Database): Promise<Problem[]> {
  const { waiting, oldestSeconds, lastError, domains, hasUnanswered } = await readStuckMail(
    db,
    ALERT_TEMPLATES,
  )
  if (waiting === 0 || (!hasUnanswered && domains < MIN_FAILING_DOMAINS)) return findRefusedMail(db)
  const facts = { waiting, minutes: Math.floor(oldestSeconds / 60), answer: lastError ?? '' }
  return [{ condition: 'mail_stuck', place: '', facts }]
}

async function findRefusedMail(db: Database): Promise<Problem[]> {
  const { count, domains, answer } = await readRefusedMail(db)
  if (domains < MIN_FAILING_DOMAINS) return []
  return [{ condition: 'mail_stuck', place: '', facts: { refused: count, answer: answer ?? '' } }]
}

/** PostgreSQL stops when its disk is full. */
const MIN_FREE_BYTES = 2e9

/** The disk of a lost file server may never answer. The other problems must still be found. */
const DISK_WAIT_MS = 5_000

async function findLowDisks(watched: WatchedDeployment): Promise<Problem[]> {
  const { dataDir, backups, machine } = watched
  const folders = { DATA_DIR: dataDir, ...(backups ? { BACKUP_DIR: backups.folder } : {}) }
  const checks = Object.entries(folders).map(async ([variable, path]): Promise<Problem[]> => {
    const bytes = await measureInTime(resolve(path), watched)
    const facts = { folder: variable, gigabytes: (bytes / 1e9).toFixed(1), machine }
    return bytes < MIN_FREE_BYTES ? [{ condition: 'disk_low', place: `${machine} ${variable}`, facts }] : []
  })
  return (await Promise.all(checks)).flat()
}

/** Measurements in progress, by folder. Each takes a thread, so a disk that hangs is asked only once. */
const measuring = new Map<string, Promise<number>>()
/** By folder. Used while a disk hangs, because it may still be full. */
const lastMeasured = new Map<string, number>()

/**
 * {@link measureFreeBytes} with a time limit.
 * @returns the last measurement if the disk does not answer, or Infinity if there is none.
 */
async function measureInTime(
  folder: string,
  { freeBytes, diskWaitMs = DISK_WAIT_MS }: WatchedDeployment,
): Promise<number> {
  const measured =
    measuring.get(folder) ??
    measureFreeBytes(folder, freeBytes)
      // The program reports a missing folder elsewhere.
      .catch(() => Infinity)
      .then((bytes) => {
        measuring.delete(folder)
        lastMeasured.set(folder, bytes)
        return bytes
      })
  measuring.set(folder, measured)
  return Promise.race([measured, pause(diskWaitMs, lastMeasured.get(folder) ?? Infinity, { ref: false })])
}

/**
 * Bytes left on a folder's disk or on the embedded database's disk, whichever has fewer. A program that was
 * started as root keeps the database elsewhere, and only a link to it in the folder.
 */
export async function measureFreeBytes(
  folder: string,
  freeBytes: (folder: string) => Promise<number>,
): Promise<number> {
  const database = await realpath(join(folder, 'postgres')).catch(() => folder)
  return Math.min(await freeBytes(folder), await freeBytes(database))
}

/** Making a backup takes a while, and a node may have been down. */
export const OVERDUE_AFTER_INTERVALS = 2
const HOUR_MS = 3_600_000

async function findFailedBackup(db: Database, everyHours: number): Promise<Problem[]> {
  const [last, lastGood, { now }] = await Promise.all([
    lastRun(db, 'scheduled'),
    lastSuccess(db, 'scheduled'),
    db.selectNoFrom(sql<Date>`now()`.as('now')).executeTakeFirstOrThrow(),
  ])
  const error = last?.error ?? ''
  const takenAt = lastGood?.taken_at ?? lastGood?.finished_at
  // A new deployment has neither an error nor a backup. It makes its first backup within a minute.
  if (!takenAt) return error ? [{ condition: 'backup_failed', place: '', facts: { error } }] : []
  const hours = Math.floor((now.getTime() - takenAt.getTime()) / HOUR_MS)
  if (!error && hours < OVERDUE_AFTER_INTERVALS * everyHours) return []
  return [{ condition: 'backup_failed', place: '', facts: { hours, error } }]
}

type DeadJobs = { jobs: number; kinds: string | null; error: string | null }

/**
 * Jobs given up in the last day. Emails and webhooks do not count: they are refused by others, and have
 * screens of their own. Uses the index `jobs_dead`.
 */
async function findDeadJobs(db: Database): Promise<Problem[]> {
  const { rows } = await sql<DeadJobs>`
    select count(*) as jobs, string_agg(distinct kind, ', ' order by kind) as kinds,
      (array_agg(last_error order by dead_at desc))[1] as error
    from jobs
    where dead_at > now() - interval '1 day' and kind not in ('mail', 'announcement')
    and not starts_with(kind, 'webhook')`.execute(db)
  const { jobs = 0, kinds, error } = rows[0] ?? {}
  const facts = { jobs, kinds: kinds ?? '', error: error ?? '' }
  return jobs > 0 ? [{ condition: 'jobs_dead', place: '', facts }] : []
}
