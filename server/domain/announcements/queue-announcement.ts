import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'
import { record } from '#server/domain/journal/record.ts'
import { ANNOUNCEMENT_JOB } from '#server/domain/mail/send-later.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { deleteInBatches } from '#server/platform/database/delete-in-batches.ts'
import { MIN_ID } from '#server/platform/database/ids.ts'
import { enqueueSql } from '#server/platform/jobs/jobs.ts'
import { WANTS_ANNOUNCEMENTS } from './announcement.ts'

/** After an interruption, at most the emails that were due in this time are queued at once. */
const CATCH_UP_SECONDS = 10
/** A queued email that waits longer is not sent. */
const USEFUL_MS = 24 * 3_600_000

type Sending = {
  id: string
  per_minute: number
  /** The id of the last recipient with a queued email. */
  queued_to: string | null
  /** How many emails may be queued now. */
  room: number
}

/**
 * Queues the next emails of the announcement that is being sent, as many as its rate allows across all nodes.
 * Ends the announcement when every email has an outcome.
 */
export async function queueAnnouncement({ db, runSoon }: Deps): Promise<void> {
  const queued = await inTransaction(db, async (tx) => {
    const sending = await lockSending(tx)
    if (!sending || sending.room < 1) return 0
    const people = await readNext(tx, sending)
    if (people.length === 0) await endIfDone(tx, sending.id)
    else await queueEmails(tx, sending, people)
    return people.length
  })
  if (queued > 0) runSoon('announcement emails')
}

/**
 * Locks the announcement that is being sent, unless another node has locked it. Emails without an attempt
 * take up room, too, so that a slow mail server does not get more than it can handle.
 */
async function lockSending(tx: Tx): Promise<Sending | undefined> {
  const { rows } = await sql<Sending>`
    select id, per_minute, queued_to, least(per_minute - (
        select count(*) from jobs
        where kind = ${ANNOUNCEMENT_JOB} and done_at is null and dead_at is null and attempts = 0),
      -- Rounded first: intervals have whole microseconds, so one email may come out as 0.999999.
      floor(round(per_minute * extract(epoch from now() - (${RATE_USED_UNTIL})) / 60, 3)))::int as room
    from announcements where state = 'sending' for update skip locked`.execute(tx)
  return rows[0]
}

/**
 * The time until which queued emails have used up the rate: `queued_at`, but at most CATCH_UP_SECONDS ago, or
 * the interval between two emails if that is longer. If `queued_at` is null, or more than a minute ahead
 * because the clock was set back, it is one interval ago, which leaves room for one email.
 */
const RATE_USED_UNTIL = sql<Date>`case when queued_at is null or queued_at > now() + interval '1 minute'
  then now() - make_interval(secs => 60.0 / per_minute)
  else greatest(queued_at,
    now() - make_interval(secs => greatest(${sql.lit(CATCH_UP_SECONDS)}, 60.0 / per_minute))) end`

type Person = { id: string; username: string; email: string }

/** In the order of ids. Uses the index `users_announcements`. */
async function readNext(tx: Tx, { id, queued_to, room }: Sending): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select u.id, u.username, u.email from users u
    where ${WANTS_ANNOUNCEMENTS} and u.id > ${queued_to ?? MIN_ID} and not exists (
      select from announcement_recipients r where r.announcement = ${id} and r.user_id = u.id)
    order by u.id limit ${room}`.execute(tx)
  return rows
}

async function queueEmails(tx: Tx, { id, per_minute }: Sending, people: readonly Person[]): Promise<void> {
  const usefulUntil = new Date(Date.now() + USEFUL_MS)
  const jobs = people.map(({ id: user, username, email }) => ({
    kind: ANNOUNCEMENT_JOB,
    payload: { template: 'announcement', to: email, values: { announcement: id, user, username } },
    usefulUntil,
  }))
  const { rows } = await enqueueSql(jobs).execute(tx)
  await sql`
    insert into announcement_recipients (announcement, user_id, job)
    select ${id}, (payload -> 'values' ->> 'user')::uuid, id
    from jobs where id = any (${rows.map((job) => job.id)}::uuid[])`.execute(tx)
  const usedSeconds = (people.length * 60) / per_minute
  await tx
    .updateTable('announcements')
    .set({ queued_to: people.at(-1)?.id ?? null })
    .set({ queued_at: sql<Date>`${RATE_USED_UNTIL} + make_interval(secs => ${usedSeconds})` })
    .where('id', '=', id)
    .execute()
}

async function endIfDone(tx: Tx, id: string): Promise<void> {
  // Emails that expired or lost their jobs have no outcome yet.
  await sql`
    update announcement_recipients r set outcome = 'failed'
    where r.announcement = ${id} and r.outcome is null and not exists (
      select from jobs j where j.id = r.job and j.done_at is null and j.dead_at is null)`.execute(tx)
  const { rows } = await sql`
    update announcements set state = 'sent', ended_at = now()
    where id = ${id} and not exists (
      select from announcement_recipients r where r.announcement = ${id} and r.outcome is null)
    returning id`.execute(tx)
  if (rows.length > 0) await record(tx, { actor: null, action: 'announcement.sent', subject: id })
}

/**
 * Deletes an announcement's recipients a week after it ended or was stopped, but keeps the counts. A
 * stopped announcement ends for good: resumed without its recipients, it would reach some people twice. Its
 * emails without an outcome count as failed.
 */
export async function purgeRecipients(db: Database): Promise<void> {
  await sql`
    update announcements a set state = 'sent', ended_at = coalesce(ended_at, now()),
      sent = counted.sent, failed = counted.failed, skipped = counted.skipped
    from (
      select old.id, count(r.*) filter (where outcome = 'sent') as sent,
        count(r.*) filter (where outcome is null or outcome = 'failed') as failed,
        count(r.*) filter (where outcome = 'skipped') as skipped
      from announcements old left join announcement_recipients r on r.announcement = old.id
      where old.sent is null and old.state in ('sent', 'stopped')
        and coalesce(old.ended_at, old.updated_at) < now() - interval '7 days'
      group by old.id) counted
    -- Checks the state again: an announcement that was resumed during the wait for its lock stays as it is.
    where a.id = counted.id and a.state in ('sent', 'stopped')`.execute(db)
  const isCounted = sql<boolean>`announcement in (select id from announcements where sent is not null)`
  await deleteInBatches(db, 'announcement_recipients', isCounted)
}
