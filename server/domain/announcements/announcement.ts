import { sql } from 'kysely'
import type { Announcement } from '#contract/dashboard/announcements.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { refuse } from '#server/platform/refusal.ts'

/** The user `u` has opted in to announcements and is not banned, and the address does not refuse emails. */
export const WANTS_ANNOUNCEMENTS = sql<boolean>`(u.announcements_at is not null and u.banned_at is null
  and not exists (select from suppressions s where s.email_key = u.email_key))`

const MAX_LISTED = 50

/** `subscribers` is how many participants would get an announcement now. */
export async function listAnnouncements(
  db: Database,
): Promise<{ data: Announcement[]; subscribers: number }> {
  const [rows, { subscribers }] = await Promise.all([
    rowsOf(db).orderBy('a.id', 'desc').limit(MAX_LISTED).execute(),
    db
      .selectFrom('users as u')
      .select(sql<number>`count(*)`.as('subscribers'))
      .where(WANTS_ANNOUNCEMENTS)
      .executeTakeFirstOrThrow(),
  ])
  return { data: rows.map(asAnnouncement), subscribers }
}

type LockedRow = Pick<Announcement, 'subject' | 'text' | 'updatedAt'> & { state: string }

/** @throws refusal `announcement_not_found`. */
export async function lockAnnouncement(tx: Tx, id: string): Promise<LockedRow> {
  const locked = await tx
    .selectFrom('announcements')
    .select(['state', 'subject', 'body', 'updated_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!locked) throw refuse('announcement_not_found')
  const { state, subject, body, updated_at } = locked
  return { state, subject, text: body, updatedAt: updated_at.toISOString() }
}

/**
 * @param seen the `updatedAt` of the draft that the caller has seen; undefined does not check.
 * @throws refusal `announcement_changed`.
 */
export function refuseIfChanged({ updatedAt }: LockedRow, seen: string | undefined): void {
  if (seen !== undefined && Date.parse(seen) !== Date.parse(updatedAt)) throw refuse('announcement_changed')
}

/** @throws refusal `announcement_not_found`. */
export async function readAnnouncement(db: Database | Tx, id: string): Promise<Announcement> {
  const row = await rowsOf(db).where('a.id', '=', id).executeTakeFirst()
  if (!row) throw refuse('announcement_not_found')
  return asAnnouncement(row)
}

/** Counts the recipients of each announcement, who may be deleted once the counts are stored. */
const rowsOf = (db: Database | Tx) =>
  db
    .selectFrom('announcements as a')
    .selectAll()
    .select([countOf('sent'), countOf('failed'), countOf('skipped'), LEFT])

const countOf = (outcome: 'sent' | 'failed' | 'skipped') =>
  sql<number>`coalesce(a.${sql.ref(outcome)}, (select count(*) from announcement_recipients r
    where r.announcement = a.id and r.outcome = ${outcome}))::int`.as(`${outcome}_now`)

/** How many a stopped announcement would still reach if resumed now; null unless it is stopped. */
const LEFT = sql<number | null>`case when a.state = 'stopped' then (
  select count(*) from users u where ${WANTS_ANNOUNCEMENTS} and not exists (
    select from announcement_recipients r
    where r.announcement = a.id and r.user_id = u.id and r.outcome is not null)) end`.as('left')

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number]

function asAnnouncement(row: Row): Announcement {
  const { audience, sent_now: sent, failed_now: failed, skipped_now: skipped } = row
  // People who opt in during the sending are not in the audience, so the difference may be negative. Others
  // unsubscribe or delete their account before their email is queued, so it may never become 0.
  const left = row.left ?? (row.state === 'sent' ? 0 : (audience ?? 0) - sent - failed - skipped)
  return {
    id: row.id,
    subject: row.subject,
    text: row.body,
    state: row.state as Announcement['state'],
    perMinute: row.per_minute,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    audience,
    counts: { sent, failed, skipped, waiting: Math.max(0, left) },
  }
}

export async function eraseRecipient(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('announcement_recipients').where('user_id', '=', userId).execute()
}
