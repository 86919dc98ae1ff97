import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { ANNOUNCEMENT_JOB, MAIL_JOB } from './send-later.ts'

/** After this time, an email is stuck. Several attempts have failed by then, and a code has expired. */
export const STUCK_AFTER_SECONDS = 15 * 60

export type MailBacklog = {
  /** Emails that are due or waiting for another attempt. */
  waiting: number
  /** For how long the oldest of these has been due. 0 if none is waiting. */
  oldestSeconds: number
  /** The mail server's answer to one of these, or why it gave none. Null before any attempt has failed. */
  lastError: string | null
  /** Emails given up within a day, including those that expired or were suppressed. */
  dead: number
  /** Why the latest of these was given up. Null if none was. */
  deadError: string | null
}

/** When an unfinished job was first due. After an attempt, `run_at` is the time of the next attempt. */
export const FIRST_DUE_AT = sql`case when attempts = 0 then run_at else created_at end`
/** Whether an unfinished job is due or waits for another attempt. If not, it is scheduled for later. */
export const HAS_BEEN_DUE = sql`(run_at <= now() or attempts > 0)`

/**
 * Counts the unsent emails other than announcements. Uses the indexes `jobs_due` and `jobs_finished`, which
 * is on `coalesce(done_at, dead_at)`.
 */
export async function readMailBacklog(db: Database): Promise<MailBacklog> {
  const { rows } = await sql<MailBacklog>`
    select waiting.count as waiting, waiting.error as "lastError", dead.count as dead, dead.error as "deadError",
      coalesce(extract(epoch from now() - waiting.oldest), 0)::float8 as "oldestSeconds"
    from (
      select count(*) as count, min(${FIRST_DUE_AT}) as oldest,
        (array_agg(last_error order by run_at desc) filter (where last_error is not null))[1] as error
      from jobs
      where kind = ${MAIL_JOB} and done_at is null and dead_at is null and ${HAS_BEEN_DUE}) waiting,
      (select count(*) as count, (array_agg(last_error order by dead_at desc))[1] as error
      from jobs
      where kind = ${MAIL_JOB} and dead_at is not null
      and coalesce(done_at, dead_at) > now() - interval '1 day') dead`.execute(db)
  return rows[0] ?? { waiting: 0, oldestSeconds: 0, lastError: null, dead: 0, deadError: null }
}

/** If fewer domains refuse our emails, the fault is probably theirs. */
export const MIN_FAILING_DOMAINS = 3

type RefusedMail = { count: number; domains: number; answer: string | null }

/**
 * Counts the emails, other than announcements, that the mail server has refused permanently within a day and
 * since it last accepted an email; not those to addresses that do not exist. Uses the index `jobs_finished`.
 */
export async function readRefusedMail(db: Database): Promise<RefusedMail> {
  const { rows } = await sql<RefusedMail>`
    select count(*) as count, count(distinct split_part(payload ->> 'to', '@', 2)) as domains,
      (array_agg(last_error order by dead_at desc))[1] as answer
    from jobs
    where kind = ${MAIL_JOB} and dead_at is not null and last_error ~ '^5[0-9]{2}'
      and coalesce(done_at, dead_at) > greatest(now() - interval '1 day', (
        select coalesce(done_at, dead_at) from jobs
        where kind in (${MAIL_JOB}, ${ANNOUNCEMENT_JOB}) and done_at is not null
          and coalesce(done_at, dead_at) > now() - interval '1 day'
        order by 1 desc limit 1))
      and not exists (select from suppressions s where s.email_key = lower(payload ->> 'to'))`.execute(db)
  return rows[0] ?? { count: 0, domains: 0, answer: null }
}

type StuckMail = Pick<MailBacklog, 'waiting' | 'oldestSeconds' | 'lastError'> & {
  /** The number of different domains among the recipients. */
  domains: number
  /** Whether a mail server gave no answer to one of these. Answers begin with a three-digit code. */
  hasUnanswered: boolean
}

/** Does not count announcements. Uses the index `jobs_due`. @param except templates that do not count. */
export async function readStuckMail(db: Database, except: readonly string[]): Promise<StuckMail> {
  const { rows } = await sql<StuckMail>`
    select count(*) as waiting, coalesce(extract(epoch from now() - min(due)), 0)::float8 as "oldestSeconds",
      (array_agg(last_error order by run_at desc) filter (where last_error is not null))[1] as "lastError",
      count(distinct split_part(payload ->> 'to', '@', 2)) as domains,
      coalesce(bool_or(last_error is null or last_error !~ '^[2-5][0-9]{2}'), false) as "hasUnanswered"
    from (
      select payload, run_at, last_error, ${FIRST_DUE_AT} as due
      from jobs
      where kind = ${MAIL_JOB} and done_at is null and dead_at is null and ${HAS_BEEN_DUE}
        and payload ->> 'template' <> all (${except}::text[])) open
    where due < now() - make_interval(secs => ${STUCK_AFTER_SECONDS})`.execute(db)
  return rows[0] ?? { waiting: 0, oldestSeconds: 0, lastError: null, domains: 0, hasUnanswered: false }
}
