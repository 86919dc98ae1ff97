import { backupPlan } from '#server/config/config.ts'
import { OVERDUE_AFTER_INTERVALS } from '#server/domain/alerts/conditions.ts'
import { canRecordRuns, lastRun, lastSuccess, type Run } from '#server/domain/backups/runs.ts'
import type { Database } from '#server/platform/database/database.ts'
import { couldNotTell, judged } from '../finding.ts'
import { type Check, DATABASE_VARIABLES, onDatabase } from '../subject.ts'
import { WORDS } from '../texts.ts'

const { backups: words } = WORDS
const BACKUP_KINDS = ['scheduled', 'manual', 'before_upgrade'] as const

export const backups: Check = {
  name: 'backups',
  reads: [...DATABASE_VARIABLES, 'BACKUP_DIR', 'BACKUP_EVERY_HOURS', 'BACKUP_KEEP'],
  examine: (subject) =>
    onDatabase(subject, async (db) => {
      if (!(await canRecordRuns(db))) return couldNotTell(words.notRecorded)
      return judge(db, subject.now(), backupPlan(subject.environment.config)?.everyHours)
    }),
}

async function judge(db: Database, nowMs: number, everyHours: number | undefined) {
  const [last, lastGood, rehearsal] = await Promise.all([
    lastRun(db, ...BACKUP_KINDS),
    lastSuccess(db, ...BACKUP_KINDS),
    lastRun(db, 'rehearsal'),
  ])
  const secondsSince = (moment: Date | null) => (nowMs - Number(moment)) / 1_000
  const ageOf = ({ taken_at, finished_at }: Run) => secondsSince(taken_at ?? finished_at)
  const remarks = [
    ...(everyHours === undefined ? [words.notScheduled, words.howOften] : []),
    ...(rehearsal ? [] : [words.neverRehearsed]),
    ...(rehearsal?.error === null ? [words.rehearsed(secondsSince(rehearsal.finished_at))] : []),
  ]
  const problems = [
    ...(everyHours !== undefined && !lastGood && last ? [words.neverSucceeded(everyHours)] : []),
    ...(everyHours !== undefined && lastGood && ageOf(lastGood) > OVERDUE_AFTER_INTERVALS * everyHours * 3_600
      ? [words.tooOld(ageOf(lastGood), everyHours)]
      : []),
    ...(last?.error ? [words.lastFailed(last.error)] : []),
    ...(rehearsal?.error ? [words.rehearsalFailed(rehearsal.error)] : []),
  ]
  // Without a finished run, the program has hardly run: its first backup is due within a minute of a start.
  if (!lastGood && problems.length === 0 && everyHours !== undefined)
    return couldNotTell(words.noneMade, remarks)
  return judged(problems, lastGood ? words.fine(ageOf(lastGood), lastGood.file) : words.noneMade, remarks)
}
