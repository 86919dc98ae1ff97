import type { Tx } from '../platform/database.ts'
import { enqueue, type QueuedJob } from '../platform/jobs.ts'

/** The kind of job that mails. */
export const MAIL_JOB = 'mail'

/**
 * A mail as it waits in the queue: the name of its template and what it is filled with. A code is never
 * among that, only the nonce that it is derived from when the mail leaves.
 */
export type QueuedMail = {
  template: string
  to: string
  values: Record<string, string>
}

type When = { runAt?: Date; usefulUntil?: Date }

/**
 * Queues a mail in the transaction that causes it.
 * @returns the job, to take the mail back while it has not left.
 */
export function sendLater(tx: Tx, mail: QueuedMail, when: When = {}): Promise<string> {
  return enqueue(tx, mailJob(mail, when))
}

/** The work of sending it. */
export function mailJob(mail: QueuedMail, when: When = {}): QueuedJob {
  return { kind: MAIL_JOB, payload: mail, runAt: when.runAt, usefulUntil: when.usefulUntil }
}
