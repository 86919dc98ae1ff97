import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { MAIL_JOB } from './send-later.ts'

export type MailBacklog = {
  /** Emails whose time has come and that were not handed over. */
  waiting: number
  /** Since the first moment at which the oldest of them could have been sent; 0 if none waits. */
  oldestSeconds: number
  /** The mail server's answer to the newest attempt of one of them. */
  lastError: string | null
  /** Given up within a day, and why the newest of them was. */
  dead: number
  deadError: string | null
}

/** What has not left the outbox, which jobs_due and jobs_finished find. A retry is due later, but waits all the same. */
export async function readMailBacklog(db: Database): Promise<MailBacklog> {
  const { rows } = await sql<MailBacklog>`
    select waiting.count as waiting, waiting.error as "lastError", dead.count as dead, dead.error as "deadError",
      coalesce(extract(epoch from now() - waiting.oldest), 0)::float8 as "oldestSeconds"
    from (
      select count(*) as count, min(case when attempts = 0 then run_at else created_at end) as oldest,
        (array_agg(last_error order by run_at desc) filter (where last_error is not null))[1] as error
      from jobs
      where kind = ${MAIL_JOB} and done_at is null and dead_at is null and (run_at <= now() or attempts > 0)) waiting,
      (select count(*) as count, (array_agg(last_error order by dead_at desc))[1] as error
      from jobs
      where kind = ${MAIL_JOB} and dead_at is not null and coalesce(done_at, dead_at) > now() - interval '1 day') dead`.execute(
    db,
  )
  return rows[0] ?? { waiting: 0, oldestSeconds: 0, lastError: null, dead: 0, deadError: null }
}
