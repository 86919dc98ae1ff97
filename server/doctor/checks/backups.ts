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
    // A restored database lacks the run that made its backup.
    lastSuccess(db, ...BACKUP_KINDS, 'restore'),
    lastRun(db, 'rehearsal'),
  ])
  const secondsSince = (moment: Date | null) => (nowMs - Number(moment)) / 1_000
  const ageOf = ({ taken_at, finished_at }: Run) => secondsSince(taken_at ?? finished_at)
  const isScheduled = everyHours !== undefined
  const lastGoodAge = lastGood ? ageOf(lastGood) : 0
  const isOverdue = isScheduled && lastGoodAge > OVERDUE_AFTER_INTERVALS * everyHours * 3_600
  const remarks = [
    ...(isScheduled ? [] : [words.notScheduled, words.howOften]),
    ...(rehearsal ? [] : [words.neverRehearsed]),
    ...(rehearsal?.error === null ? [words.rehearsed(secondsSince(rehearsal.finished_at))] : []),
  ]
  const problems = [
    ...(isScheduled && last && !lastGood ? [words.neverSucceeded(everyHours)] : []),
    ...(isOverdue ? [words.tooOld(lastGoodAge, everyHours)] : []),
    ...(last?.error ? [words.lastFailed(last.error)] : []),
    ...(rehearsal?.error ? [words.rehearsalFailed(rehearsal.error)] : []),
  ]
  // The first backup is made within a minute of a start. Without one, the program has hardly run yet.
  if (isScheduled && !lastGood && problems.length === 0) return couldNotTell(words.noneMade, remarks)
  return judged(problems, lastGood ? words.fine(lastGoodAge, lastGood.file) : words.noneMade, remarks)
}
