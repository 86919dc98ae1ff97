import type { Tx } from '#server/platform/database/database.ts'
import { NOW } from '#server/platform/database/times.ts'
import { record } from '../journal/record.ts'
import { ANNOUNCEMENT_JOB, MAIL_JOB } from '../mail/send-later.ts'

type RestoreRecord = {
  /** The restore's id in `backup_runs`. */
  restoreId: string
  file: string
  takenAt: Date
  /** Sends the queued emails, which is right only if no server has run since the backup. */
  sendMail: boolean
}

/**
 * Resets what must not continue from the moment of the backup, and records the restore. Ends all sessions,
 * reset tokens and setup links, because some may have been revoked since. Gives up the queued emails unless
 * `sendMail` is set, because most have been sent since. Stops announcements, frees leased jobs.
 * @returns how many emails were given up.
 */
export async function resetTransientState(
  tx: Tx,
  { restoreId, file, takenAt, sendMail }: RestoreRecord,
): Promise<number> {
  await tx.deleteFrom('sessions').execute()
  await tx.deleteFrom('reset_tokens').execute()
  await tx.deleteFrom('setup_links').execute()
  const unsent = sendMail
    ? []
    : await tx
        .updateTable('jobs')
        .set({ dead_at: NOW, last_error: 'Not sent: it was queued in a backup that was restored.' })
        .where('kind', 'in', [MAIL_JOB, ANNOUNCEMENT_JOB])
        .where('done_at', 'is', null)
        .where('dead_at', 'is', null)
        .returning('id')
        .execute()
  // Nobody knows who has received an announcement since the backup. Administrators decide whether to resume.
  await tx
    .updateTable('announcements')
    .set({ state: 'stopped', updated_at: NOW })
    .where('state', '=', 'sending')
    .execute()
  // Expires leases instead of removing them: the trigger `mail_counted` takes a removal for an attempt's end.
  await tx.updateTable('jobs').set({ leased_until: NOW }).where('leased_until', 'is not', null).execute()
  // A scheduled backup contains the run that wrote it, which will never be finished here.
  await tx.deleteFrom('backup_runs').where('finished_at', 'is', null).execute()
  await tx
    .insertInto('backup_runs')
    .values({ id: restoreId, kind: 'restore', file, taken_at: takenAt, finished_at: NOW })
    .execute()
  await record(tx, { actor: null, action: 'backup.restored', after: { taken_at: takenAt.toISOString() } })
  return unsent.length
}
