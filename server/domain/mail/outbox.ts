import { type RawBuilder, sql } from 'kysely'
import type { EmailState, listMail, Outbox, OutboxEntry } from '#contract/dashboard/mail.ts'
import type { QueryOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { readEmail } from '#server/domain/accounts/validate-fields.ts'
import { type Attribution, record } from '#server/domain/journal/record.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { maskEmail } from '#server/platform/log/mask-email.ts'
import { pageOf } from '#server/platform/page.ts'
import { refuse } from '#server/platform/refusal.ts'
import { USELESS } from '#server/platform/jobs/jobs.ts'
import { FIRST_DUE_AT, HAS_BEEN_DUE } from './backlog.ts'

/** Whether a job `j` is an email. PostgreSQL uses partial indexes only for a condition worded like this. */
const IS_EMAIL = sql`j.kind in ('mail', 'announcement')`

/** The state of a job `j` with its last answer `a`. `waiting` includes a first attempt in progress. */
const STATE = sql<EmailState>`case
  when j.done_at is not null then 'sent'
  when j.dead_at is null then case when j.last_error is null then 'waiting' else 'deferred' end
  when a.outcome = 'suppressed' then 'suppressed'
  when j.last_error = ${USELESS} then 'expired'
  else 'failed' end`

const IS_USEFUL = sql`(j.useful_until is null or j.useful_until > now())`

/** Whether an email `j` is still useful and has failed or waits for another attempt. */
const CAN_RESEND = sql<boolean>`(j.done_at is null and ${IS_USEFUL}
  and (j.dead_at is not null or (j.last_error is not null and j.leased_until is null)))`

export async function readOutbox({ db }: Deps): Promise<Outbox> {
  const [unfinished, finished] = await Promise.all([readUnfinished(db), countFinished(db)])
  const count = (state: EmailState) => finished.find((row) => row.state === state)?.count ?? 0
  const { since, ...counts } = unfinished
  return {
    ...counts,
    waitingSince: since?.toISOString() ?? null,
    sent: count('sent'),
    failed: count('failed'),
    expired: count('expired'),
    suppressed: count('suppressed'),
  }
}

type UnfinishedMail = { waiting: number; deferred: number; since: Date | null }

/** `since` is when the oldest was due, apart from emails scheduled for later. Uses the index `jobs_due`. */
async function readUnfinished(db: Database): Promise<UnfinishedMail> {
  const { rows } = await sql<UnfinishedMail>`
    select count(*) filter (where last_error is null) as waiting,
      count(*) filter (where last_error is not null) as deferred,
      min(${FIRST_DUE_AT}) filter (where ${HAS_BEEN_DUE}) as since
    from jobs j where ${IS_EMAIL} and done_at is null and dead_at is null`.execute(db)
  return rows[0] ?? { waiting: 0, deferred: 0, since: null }
}

/** Counts the emails finished within a day. Uses the index `jobs_finished`. */
async function countFinished(db: Database): Promise<{ state: EmailState; count: number }[]> {
  const { rows } = await sql<{ state: EmailState; count: number }>`
    select ${STATE} as state, count(*) as count from jobs j left join mail_answers a on a.job = j.id
    where ${IS_EMAIL} and (j.done_at is not null or j.dead_at is not null)
      and coalesce(j.done_at, j.dead_at) > now() - interval '1 day'
    group by 1`.execute(db)
  return rows
}

type Row = Omit<OutboxEntry, 'queuedAt' | 'nextTryAt' | 'finishedAt' | 'answeredAt'> & {
  created_at: Date
  run_at: Date
  finished_at: Date | null
  answered_at: Date | null
}

export async function listEmails(
  { db }: Deps,
  query: QueryOf<typeof listMail>,
): Promise<{ data: OutboxEntry[]; next: string | null }> {
  const rows = await readRows(db, query)
  return pageOf(rows.map(asEntry), query.limit, ({ id }) => id)
}

/** One row more than a page, for `pageOf`. Uses index `jobs_emails`, or `jobs_recipients` for an address. */
async function readRows(db: Database, { state, to, after, limit }: QueryOf<typeof listMail>): Promise<Row[]> {
  const conditions: RawBuilder<unknown>[] = [
    IS_EMAIL,
    ...(state ? [sql`${STATE} = ${state}`] : []),
    ...(to ? [sql`lower(j.payload ->> 'to') = ${readEmail(to).key}`] : []),
    ...(after ? [sql`j.id < ${after}::uuid`] : []),
  ]
  const { rows } = await sql<Row>`
    select j.id, j.payload ->> 'template' as template, j.payload ->> 'to' as "to",
      nullif(j.payload -> 'values' ->> 'username', '') as username, ${STATE} as state, j.attempts, j.created_at, j.run_at,
      coalesce(j.done_at, j.dead_at) as finished_at, coalesce(a.answer, j.last_error) as answer, a.at as answered_at,
      ${CAN_RESEND} as "canResend"
    from jobs j left join mail_answers a on a.job = j.id
    where ${sql.join(conditions, sql` and `)}
    order by j.id desc limit ${limit + 1}`.execute(db)
  return rows
}

function asEntry({ created_at, run_at, finished_at, answered_at, ...row }: Row): OutboxEntry {
  return {
    ...row,
    to: maskEmail(row.to),
    queuedAt: created_at.toISOString(),
    nextTryAt: finished_at === null ? run_at.toISOString() : null,
    finishedAt: finished_at?.toISOString() ?? null,
    answeredAt: answered_at?.toISOString() ?? null,
  }
}

/**
 * Queues an email for another attempt now. The email keeps its job, and so its Message-ID.
 * @throws refusal `mail_not_found`, or `mail_not_resendable` if the email was sent, is being sent, is no
 * longer useful or waits for its first attempt.
 */
export async function resend(deps: Deps, id: string, by: Attribution): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const { rows } = await sql`select from jobs j where j.id = ${id} and ${IS_EMAIL}`.execute(tx)
    if (rows.length === 0) throw refuse('mail_not_found')
    if ((await requeue(tx, sql`j.id = ${id}`)) === 0) throw refuse('mail_not_resendable')
    await record(tx, { ...by, action: 'mail.resent', subject: id, after: { count: 1 } })
  })
  runMailJobsSoon(deps)
}

/** Skips suppressed emails and emails that are no longer useful. @returns how many are queued again. */
export async function resendFailed(deps: Deps, hours: number, by: Attribution): Promise<number> {
  const resent = await inTransaction(deps.db, async (tx) => {
    const count = await requeue(
      tx,
      sql`j.dead_at > now() - make_interval(hours => ${hours}) and not exists (
        select from mail_answers a where a.job = j.id and a.outcome = 'suppressed')`,
    )
    if (count > 0) await record(tx, { ...by, action: 'mail.resent', after: { count } })
    return count
  })
  runMailJobsSoon(deps)
  return resent
}

/** Queues the emails again as if they had never been attempted. @returns how many. */
async function requeue(tx: Tx, condition: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    update jobs j set dead_at = null, run_at = now(), attempts = 0, last_error = null
    where ${IS_EMAIL} and ${CAN_RESEND} and ${condition}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

function runMailJobsSoon({ runSoon }: Deps) {
  runSoon('mail')
  runSoon('announcement emails')
}

/** Erases all emails to an address, and its suppression. Uses the index `jobs_recipients`. */
export async function eraseMails(tx: Tx, address: string): Promise<void> {
  await sql`
    delete from jobs j where ${IS_EMAIL} and lower(j.payload ->> 'to') = lower(${address})`.execute(tx)
  await tx.deleteFrom('suppressions').where('email_key', '=', address.toLowerCase()).execute()
}
