import { sql } from 'kysely'
import type { sendAnnouncement } from '#contract/dashboard/announcements.ts'
import type { BodyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { type Attribution, record } from '#server/domain/journal/record.ts'
import { lockByName } from '#server/platform/database/advisory-lock.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { NOW } from '#server/platform/database/times.ts'
import { refuse } from '#server/platform/refusal.ts'
import { lockAnnouncement, refuseIfChanged, WANTS_ANNOUNCEMENTS } from './announcement.ts'

type Start = BodyOf<typeof sendAnnouncement> & { id: string }

/**
 * Starts sending a draft, or resumes a stopped announcement. `queueAnnouncement` then queues the emails, by
 * participants' ids: it starts after `queued_to` and skips those whose email was queued before a stop.
 * @throws refusals `announcement_not_found`, `announcement_changed` if a draft is no longer the one that the
 * caller has seen, `announcement_sent`, `announcement_busy` while this or another announcement is being sent,
 * and `announcement_for_nobody` if no email is left to send.
 */
export async function startAnnouncement(
  { db, runSoon }: Deps,
  { id, perMinute, updatedAt }: Start,
  by: Attribution,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockByName(tx, 'announcements')
    const announcement = await lockAnnouncement(tx, id)
    if (announcement.state === 'draft') refuseIfChanged(announcement, updatedAt)
    if (announcement.state === 'sent') throw refuse('announcement_sent')
    if (await isAnySending(tx)) throw refuse('announcement_busy')
    const audience = await countAudience(tx, id)
    if (audience === 0) throw refuse('announcement_for_nobody')
    await tx
      .updateTable('announcements')
      .set({ state: 'sending', per_minute: perMinute, audience, queued_to: null, queued_at: null })
      .set({ started_at: sql`coalesce(started_at, now())`, updated_at: NOW })
      .where('id', '=', id)
      .execute()
    const after = { audience, per_minute: perMinute }
    await record(tx, { ...by, action: 'announcement.started', subject: id, after })
  })
  runSoon('announcements')
}

/** @throws refusals `announcement_not_found`, `announcement_not_sending`. */
export async function stopAnnouncement({ db }: Deps, id: string, by: Attribution): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { state } = await lockAnnouncement(tx, id)
    if (state !== 'sending') throw refuse('announcement_not_sending')
    await tx
      .updateTable('announcements')
      .set({ state: 'stopped', updated_at: NOW })
      .where('id', '=', id)
      .execute()
    await withdrawQueued(tx, id)
    await record(tx, { ...by, action: 'announcement.stopped', subject: id })
  })
}

async function isAnySending(tx: Tx): Promise<boolean> {
  const sending = await tx
    .selectFrom('announcements')
    .select('id')
    .where('state', '=', 'sending')
    .executeTakeFirst()
  return sending !== undefined
}

/** Counts the people whose email has been or will be queued. 0 if no email is left to send. */
async function countAudience(tx: Tx, id: string): Promise<number> {
  const { rows } = await sql<{ queued: number; waiting: number; unqueued: number }>`
    select count(*) as queued, count(*) filter (where outcome is null) as waiting,
      (select count(*) from users u where ${WANTS_ANNOUNCEMENTS} and not exists (
        select from announcement_recipients r where r.announcement = ${id} and r.user_id = u.id)) as unqueued
    from announcement_recipients where announcement = ${id}`.execute(tx)
  const { queued = 0, waiting = 0, unqueued = 0 } = rows[0] ?? {}
  return waiting + unqueued === 0 ? 0 : queued + unqueued
}

/**
 * Withdraws emails that were never tried, as if they had not been queued. One that was tried keeps its job,
 * and with it the Message-ID, and waits until the announcement is resumed.
 */
async function withdrawQueued(tx: Tx, id: string): Promise<void> {
  await sql`
    with withdrawn as (
      delete from jobs j using announcement_recipients r
      where r.announcement = ${id} and r.outcome is null and j.id = r.job and j.attempts = 0
        -- A resent email has no attempts either, but has the mail server's earlier answer.
        and not exists (select from mail_answers a where a.job = j.id)
      returning j.id)
    delete from announcement_recipients r using withdrawn w
    where r.announcement = ${id} and r.job = w.id`.execute(tx)
}
