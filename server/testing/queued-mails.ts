import { MAIL_JOB, type QueuedMail } from '../domain/mail/send-later.ts'
import type { Database } from '../platform/database/database.ts'

export async function queuedMails(db: Database): Promise<QueuedMail[]> {
  const jobs = await db
    .selectFrom('jobs')
    .select('payload')
    .where('kind', '=', MAIL_JOB)
    .orderBy('id')
    .execute()
  return jobs.map(({ payload }) => payload as unknown as QueuedMail)
}
