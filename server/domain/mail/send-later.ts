import type { Locale } from '#contract/locales.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { enqueue, type QueuedJob } from '#server/platform/jobs/jobs.ts'

export const MAIL_JOB = 'mail'
/** The emails of announcements. They are sent one at a time, so that they do not delay others. */
export const ANNOUNCEMENT_JOB = 'announcement'

/**
 * A queued email: its template and the template's values. The values never contain a code, only the nonce
 * from which it is derived when the email is sent.
 */
export type QueuedMail = {
  template: string
  to: string
  values: Record<string, string>
  /** The language, if the recipient has no account; an account's is read when the email is sent. */
  locale?: Locale
}

type Timing = { runAt?: Date; usefulUntil?: Date }

/**
 * Queues an email in the transaction that causes it (outbox).
 * @returns the job's id, for cancelling the email before it is sent.
 */
export function sendLater(tx: Tx, mail: QueuedMail, timing: Timing = {}): Promise<string> {
  return enqueue(tx, mailJob(mail, timing))
}

export function mailJob(mail: QueuedMail, timing: Timing = {}): QueuedJob {
  return { kind: MAIL_JOB, payload: mail, runAt: timing.runAt, usefulUntil: timing.usefulUntil }
}

/** Queues an email to an account, as {@link sendLater} does; adds the username to `values`. */
export async function mailUser(
  tx: Tx,
  userId: string,
  template: string,
  values: Record<string, string> = {},
): Promise<void> {
  const { username, email } = await tx
    .selectFrom('users')
    .select(['username', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  await sendLater(tx, { template, to: email, values: { ...values, username } })
}
