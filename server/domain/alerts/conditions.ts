import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Alert } from '#contract/dashboard/alerts.ts'
import { lastRun, lastSuccess } from '#server/domain/backups/runs.ts'
import { readStuckMail } from '#server/domain/mail/backlog.ts'
import type { Database } from '#server/platform/database/database.ts'

/** The templates of the emails about alerts. */
export const ALERT_TEMPLATES = ['alert-raised', 'alert-cleared'] as const

/** Something that is wrong right now. */
export type Problem = Pick<Alert, 'condition' | 'place' | 'facts'>

export type WatchedDeployment = {
  dataDir: string
  /** Absent without scheduled backups. */
  backups?: { folder: string; everyHours: number } | undefined
  /** Bytes that this process can still write on the disk of a folder. */
  freeBytes: (folder: string) => Promise<number>
  /** How long to wait for a disk; by default {@link DISK_WAIT_MS}. */
  diskWaitMs?: number
  machine: string
}

/** The problems that hold now: of the whole deployment, and of this machine's disks. */
export async function findProblems(db: Database, watched: WatchedDeployment): Promise<Problem[]> {
  const problems = await Promise.all([
    findStuckMail(db),
    findLowDisks(watched),
    watched.backups ? findFailedBackup(db, watched.backups.everyHours) : [],
    findDeadJobs(db),
  ])
  return problems.flat()
}

/** With fewer failing domains, the problem is more likely theirs than this server's. */
const MIN_FAILING_DOMAINS = 3

/** Stuck emails, except those about alerts: an alert that cannot be delivered must not keep itself going. */
async function findStuckMail(db: Database): Promise<Problem[]> {
  const { waiting, oldestSeconds, lastError, domains, hasUnanswered } = await readStuckMail(
    db,
    ALERT_TEMPLATES,
  )
  if (waiting === 0 || (!hasUnanswered && domains < MIN_FAILING_DOMAINS)) return []
  const facts = { waiting, minutes: Math.floor(oldestSeconds / 60), answer: lastError ?? '' }
  return [{ condition: 'mail_stuck', place: '', facts }]
}

/** PostgreSQL stops when its disk is full. */
const MIN_FREE_BYTES = 2e9

/** The disk of a file server that is gone may never answer; the other problems must be found all the same. */
const DISK_WAIT_MS = 5_000

/** The place names the machine and the variable, because each machine has its own disks. */
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

/** Measurements in progress, by folder: each takes a thread, so a disk that hangs is asked only once. */
const measuring = new Map<string, Promise<number>>()
/** The last measurement, by folder. It counts while a disk hangs, because that may still be full. */
const lastMeasured = new Map<string, number>()

/**
 * {@link measureFreeBytes} with a time limit: while a disk does not answer, its last measurement counts, or
 * Infinity if there is none.
 */
async function measureInTime(
  folder: string,
  { freeBytes, diskWaitMs = DISK_WAIT_MS }: WatchedDeployment,
): Promise<number> {
  const measured =
    measuring.get(folder) ??
    measureFreeBytes(folder, freeBytes)
      // A missing folder has no disk to measure; the program reports it elsewhere.
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
 * Bytes left on the disk of a folder, or on that of the embedded database if those are fewer: a program that
 * was started as root keeps the database elsewhere, and only a link to it in the folder.
 */
export async function measureFreeBytes(
  folder: string,
  freeBytes: (folder: string) => Promise<number>,
): Promise<number> {
  const database = await realpath(join(folder, 'postgres')).catch(() => folder)
  return Math.min(await freeBytes(folder), await freeBytes(database))
}

/** Intervals until a backup is overdue: making one takes a while, and a node may have been down. */
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
  // No error and no backup: a new deployment, whose first backup is made within a minute.
  if (!takenAt) return error ? [{ condition: 'backup_failed', place: '', facts: { error } }] : []
  const hours = Math.floor((now.getTime() - takenAt.getTime()) / HOUR_MS)
  if (!error && hours < OVERDUE_AFTER_INTERVALS * everyHours) return []
  return [{ condition: 'backup_failed', place: '', facts: { hours, error } }]
}

type DeadJobs = { jobs: number; kinds: string | null; error: string | null }

/**
 * Jobs given up in the last day, except emails and webhooks: what others refuse is no problem of this
 * server, and has its own screens. Uses the index `jobs_dead`.
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
