import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import type { Mail } from './mail.ts'
import { MAIL_JOB, type QueuedMail } from './send-later.ts'
import { type MailContext, render, type Templates } from './templates.ts'

export type ReceivedMail = Mail & { id: string; to: string; sentAt: string }

const MAX_MAILS = 100

/**
 * Reads the development mailbox, newest first: the emails that were due, rendered when read, so that the
 * database stores no codes in development either.
 */
export async function readMailbox(
  db: Database,
  templates: Templates,
  context: MailContext,
  { to, id }: { to?: string | undefined; id?: string | undefined } = {},
): Promise<ReceivedMail[]> {
  const jobs = await db
    .selectFrom('jobs')
    .select(['id', 'payload', 'done_at'])
    .where('kind', '=', MAIL_JOB)
    .where('done_at', 'is not', null)
    .$if(to !== undefined, (query) => query.where(sql`lower(payload->>'to')`, '=', to?.toLowerCase()))
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .orderBy('done_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_MAILS)
    .execute()
  return jobs.map(({ id: jobId, payload, done_at }) => {
    const queued = payload as unknown as QueuedMail
    return {
      id: jobId,
      to: queued.to,
      sentAt: done_at?.toISOString() ?? '',
      ...render(queued, templates, context),
    }
  })
}
