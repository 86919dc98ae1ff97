import type { Locale } from '#contract/locales.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { enqueue, type QueuedJob } from '#server/platform/jobs/jobs.ts'

export const MAIL_JOB = 'mail'
/** Emails about announcements are sent one at a time, so that they do not delay other emails. */
export const ANNOUNCEMENT_JOB = 'announcement'

/** The values never contain a code, only the nonce from which the code is derived when the email is sent. */
export type QueuedMail = {
  template: string
  to: string
  values: Record<string, string>
  /** Only for a recipient without an account. Otherwise the account's language is read when sending. */
  locale?: Locale
}

type Timing = { runAt?: Date; usefulUntil?: Date } // The email is not sent after `usefulUntil`.

/** @returns the job's id, for cancelling the email before it is sent. */
export function sendLater(tx: Tx, mail: QueuedMail, timing: Timing = {}): Promise<string> {
  return enqueue(tx, mailJob(mail, timing))
}

export function mailJob(mail: QueuedMail, timing: Timing = {}): QueuedJob {
  return { kind: MAIL_JOB, payload: mail, runAt: timing.runAt, usefulUntil: timing.usefulUntil }
}

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
