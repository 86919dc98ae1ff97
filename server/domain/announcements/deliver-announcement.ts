import { type DeliverDeps, recordAnswer, sendRendered } from '#server/domain/mail/deliver.ts'
import type { QueuedMail } from '#server/domain/mail/send-later.ts'
import { renderForRecipient } from '#server/domain/mail/templates.ts'
import type { Job, Outcome } from '#server/platform/jobs/jobs.ts'

const STOPPED_RETRY_SECONDS = 300

// The trigger in server/migrations/0049_announcement_mail_counts.sql recognizes emails by these texts.
export const STOPPED = 'Stopped.'
export const NOT_WANTED = 'Not sent: this participant has since unsubscribed or been banned.'

/** Sends an email unless its announcement is stopped or its recipient has unsubscribed or been banned. */
export async function deliverAnnouncement(
  delivery: DeliverDeps,
  job: Job,
  signal?: AbortSignal,
): Promise<Outcome> {
  const { db } = delivery
  const queued = job.payload as QueuedMail
  const { announcement = '', user = '' } = queued.values
  const row = await db
    .selectFrom('announcements as a')
    .innerJoin('users as u', (join) => join.on('u.id', '=', user))
    .select(['a.subject', 'a.body', 'a.state', 'u.username', 'u.email', 'u.announcements_at', 'u.banned_at'])
    .where('a.id', '=', announcement)
    .executeTakeFirst()
  if (row?.state === 'stopped') return { retry: STOPPED, afterSeconds: STOPPED_RETRY_SECONDS }
  const recordOutcome = (outcome: 'sent' | 'failed' | 'skipped') =>
    db
      .updateTable('announcement_recipients')
      .set({ outcome })
      .where('announcement', '=', announcement)
      .where('user_id', '=', user)
      .execute()
  if (!row || row.announcements_at === null || row.banned_at !== null) {
    await recordOutcome('skipped')
    await recordAnswer(db, job.id, { outcome: 'suppressed', answer: NOT_WANTED })
    return { dead: NOT_WANTED }
  }
  const { subject, body: text, username, email: to } = row
  const filled = { ...queued, to, values: { ...queued.values, username, subject, text } }
  const mail = await renderForRecipient(db, filled, delivery.templates, delivery.context)
  const { outcome, isSuppressed } = await sendRendered(delivery, { job, queued: filled, mail }, signal)
  if ('done' in outcome) await recordOutcome('sent')
  if ('dead' in outcome) await recordOutcome(isSuppressed ? 'skipped' : 'failed')
  return outcome
}
