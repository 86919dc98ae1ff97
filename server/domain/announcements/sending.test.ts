import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import * as contract from '#contract/dashboard/announcements.ts'
import { listMail, type OutboxEntry, resendMail } from '#contract/dashboard/mail.ts'
import { announcementSetup, headerOf } from '#server/testing/builders/announcements.ts'
import { meetAtLock } from '#server/testing/database/races.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { suppress } from '../mail/suppressions.ts'
import { purgeRecipients } from './queue-announcement.ts'

// `queue` queues the emails that the rate allows now, `queueNext` those a minute later; `send` sends them.

test('sends one email to everyone who opted in and is not banned, at the chosen rate', async (t) => {
  const setup = await announcementSetup(t, 5)
  const { write, start, queue, queued, queueNext, send, passSeconds, smtp, readAnnouncement, pool } = setup
  const [unsubscribed, banned, ...others] = setup.recipients
  await pool.query('update users set announcements_at = null where id = $1', [unsubscribed?.id])
  await pool.query('update users set banned_at = now() where id = $1', [banned?.id])
  const { id } = await write()
  assert.equal((await start(id, 2)).status, 200)
  assert.equal((await readAnnouncement(id)).audience, 3)
  for (let turn = 1; turn <= 3; turn += 1) {
    await Promise.all([queue(), queue()])
    assert.equal(await queued(), 1, 'one email every half minute')
    await send()
    await passSeconds(30)
  }
  await queueNext()

  const counts = { sent: 3, failed: 0, skipped: 0, waiting: 0 }
  const sent = await readAnnouncement(id)
  assert.partialDeepStrictEqual(sent, { state: 'sent', counts })
  assert.ok(sent.endedAt)
  const expected = others.map(({ email }) => email)
  assert.deepEqual(smtp.letters.flatMap(({ to }) => to).toSorted(), expected.toSorted())
  const { rows } = await pool.query<{ action: string }>(
    `select action from journal where action like 'announcement.%' order by id`,
  )
  const actions = rows.map(({ action }) => action)
  assert.deepEqual(actions, ['announcement.drafted', 'announcement.started', 'announcement.sent'])
})

test('queues the first email at once at any rate', async (t) => {
  const { write, start, stop, queue, queued } = await announcementSetup(t, 2)
  // Most of these rates do not divide a minute into whole microseconds.
  for (const perMinute of [1, 7, 11, 45, 180, 999, 1000]) {
    const { id } = await write()
    await start(id, perMinute)
    await queue()
    assert.ok((await queued()) > 0, `${perMinute} a minute`)
    await stop(id)
  }
})

test('catches up on only ten seconds after all nodes were down, and goes on if the clock is set back', async (t) => {
  const { write, start, queue, passSeconds, queued, pool } = await announcementSetup(t, 30)
  const { id } = await write()
  await start(id, 60)
  await queue()
  await passSeconds(3_600)
  await queue()
  assert.equal(await queued(), 11, 'the first email, and one for each of the ten seconds')
  await pool.query(`update announcements set queued_at = queued_at + interval '1 day'`)
  await queue()
  assert.equal(await queued(), 12, 'one more at once, not only after a day')
})

test('resends only what may not have arrived before a crash, under the same Message-ID', async (t) => {
  const setup = await announcementSetup(t, 3)
  const { write, start, send, sendBatches, smtp, readAnnouncement, pool, queueNext } = setup
  const { id } = await write()
  await start(id, 1000)
  for (let batch = 1; batch <= 3; batch += 1) await queueNext()
  // The process dies when the mail server has accepted the second email, before this is recorded.
  await send()
  const second = smtp.letters[1]?.to[0]
  await pool.query(
    `with lost as (update jobs set done_at = null, leased_until = now() - interval '1 second'
       where payload->>'to' = $1 returning id)
     update announcement_recipients r set outcome = null from lost where r.job = lost.id`,
    [second],
  )
  await sendBatches()
  const ids = smtp.letters.map((letter) => headerOf(letter, 'message-id'))
  assert.equal(ids.length, 4)
  assert.equal(ids[3], ids[1])
  assert.equal(new Set(ids).size, 3)
  assert.equal((await readAnnouncement(id)).state, 'sent')
})

test('stops at once, and resumes later without sending to anyone twice', async (t) => {
  const setup = await announcementSetup(t, 5)
  const { write, start, stop, queue, queued, send, sendBatches, passSeconds, smtp, readAnnouncement, pool } =
    setup
  const sendDeferred = async () => {
    await pool.query('update jobs set run_at = now()')
    await send()
  }
  smtp.behaviors.set(setup.recipients[0]?.email ?? '', { at: 'rcpt', code: 451 })
  const { id } = await write()
  await start(id, 2)
  for (let turn = 1; turn <= 2; turn += 1) {
    await queue()
    await send()
    await passSeconds(30)
  }
  await queue()

  assert.equal((await stop(id)).status, 200)
  assert.equal(await queued(), 1, 'the email that the mail server deferred')
  smtp.behaviors.clear()
  await sendDeferred()
  await queue()
  assert.equal(smtp.letters.length, 1)
  assert.equal((await stop(id)).body.code, 'announcement_not_sending')

  assert.equal((await start(id, 1000)).status, 200)
  await sendDeferred()
  await sendBatches()
  const to = smtp.letters.flatMap((letter) => letter.to)
  assert.equal(to.length, 5)
  assert.equal(new Set(to).size, 5)
  const expected = { state: 'sent' as const, counts: { sent: 5 }, audience: 5 }
  assert.partialDeepStrictEqual(await readAnnouncement(id), expected)
})

test('skips people who have unsubscribed or been banned or suppressed since their email was queued', async (t) => {
  const { write, start, queue, send, smtp, readAnnouncement, recipients, pool, db, queueNext, call, token } =
    await announcementSetup(t, 5)
  const { id } = await write()
  await start(id, 1000)
  await queue()
  await queueNext()
  const email = (index: number) => recipients[index]?.email ?? assert.fail()
  await pool.query('update users set announcements_at = null where email = $1', [email(0)])
  await pool.query('update users set banned_at = now() where email = $1', [email(1)])
  await suppress(db, email(2), '550 5.1.1 User unknown')
  smtp.behaviors.set(email(3), { at: 'data', code: 554 })
  await send()
  await queueNext()
  assert.deepEqual((await readAnnouncement(id)).counts, { sent: 1, failed: 1, skipped: 3, waiting: 0 })
  const reached = smtp.letters.flatMap(({ to }) => to)
  assert.deepEqual(reached, [email(4)])
  const { body } = await call(listMail, { token, query: { state: 'suppressed' } })
  assert.equal((body.data as OutboxEntry[]).length, 3)
})

test('a sent announcement shows no one as waiting, even if some of its audience got no email', async (t) => {
  const { write, start, sendBatches, recipients, readAnnouncement, pool } = await announcementSetup(t, 2)
  const { id } = await write()
  await start(id)
  await pool.query('update users set announcements_at = null where id = $1', [recipients[0]?.id])
  await sendBatches()
  const counts = { sent: 1, failed: 0, skipped: 0, waiting: 0 }
  assert.partialDeepStrictEqual(await readAnnouncement(id), { state: 'sent', audience: 2, counts })
})

test('a stopped announcement counts as waiting only those who would still get it', async (t) => {
  const { write, start, stop, queue, queueNext, send, smtp, recipients, readAnnouncement, pool } =
    await announcementSetup(t, 6)
  const email = (index: number) => recipients[index]?.email ?? assert.fail()
  smtp.behaviors.set(email(0), { at: 'rcpt', code: 451 })
  smtp.behaviors.set(email(1), { at: 'rcpt', code: 451 })
  const { id } = await write()
  await start(id, 1000)
  await queue()
  await queueNext()
  await send()
  await stop(id)
  assert.equal(smtp.letters.length, 4)
  const waiting = async () => (await readAnnouncement(id)).counts.waiting
  assert.equal(await waiting(), 2)
  await pool.query('update users set announcements_at = null where email = $1', [email(0)])
  assert.equal(await waiting(), 1)
  await pool.query('update users set banned_at = now() where email = $1', [email(1)])
  assert.equal(await waiting(), 0)
})

test('an announcement that has started cannot be changed, and no other can start before it ends', async (t) => {
  const { write, start, sendBatches, call, token } = await announcementSetup(t, 2)
  const [first, second] = [await write('One'), await write('Two')]
  await start(first.id, 1000)
  assert.equal((await start(second.id)).body.code, 'announcement_busy')
  const ofFirst = { token, params: { id: first.id } }
  const change = { ...ofFirst, body: { subject: 'Other', text: 'Other' } }
  assert.equal((await call(contract.changeAnnouncement, change)).body.code, 'announcement_started')
  assert.equal((await call(contract.deleteAnnouncement, ofFirst)).body.code, 'announcement_started')
  await sendBatches()
  assert.equal((await start(first.id)).body.code, 'announcement_sent')
})

test('a stop does not withdraw an email that has been attempted, even if it has just been resent', async (t) => {
  const setup = await announcementSetup(t, 1)
  const { write, start, stop, queue, queued, send, smtp, call, token, pool } = setup
  smtp.behaviors.set(setup.recipients[0]?.email ?? '', { at: 'rcpt', code: 451 })
  const { id } = await write()
  await start(id)
  await queue()
  await send()
  const { rows } = await pool.query<{ job: string }>('select job from announcement_recipients')
  await call(resendMail, { token, params: { id: rows[0]?.job ?? '' } })
  await stop(id)
  assert.equal(await queued(), 1)
  const after = await pool.query<{ job: string }>('select job from announcement_recipients')
  assert.deepEqual(after.rows, rows)
})

test('refuses to send an announcement that has no recipients or does not exist', async (t) => {
  const { write, start, stop } = await announcementSetup(t, 0)
  assert.equal((await start((await write()).id)).body.code, 'announcement_for_nobody')
  for (const act of [start, stop])
    assert.equal((await act(crypto.randomUUID())).body.code, 'announcement_not_found')
})

test('deletes an announcement’s recipients a week after its end, but keeps their number', async (t) => {
  const setup = await announcementSetup(t, 2)
  const { write, start, sendBatches, countRecipients, readAnnouncement, pool, db } = setup
  const { id } = await write()
  await start(id, 1000)
  await sendBatches()
  await purgeRecipients(db)
  assert.equal(await countRecipients(), 2)
  await pool.query(`update announcements set ended_at = ended_at - interval '8 days'`)
  await purgeRecipients(db)
  assert.equal(await countRecipients(), 0)
  assert.equal((await readAnnouncement(id)).counts.sent, 2)
})

/** It reached one of two recipients and was stopped more than a week ago. */
async function stoppedAnnouncement(t: TestContext) {
  const setup = await announcementSetup(t, 2)
  const { id } = await setup.write()
  await setup.start(id, 60)
  await setup.queue()
  await setup.send()
  await setup.stop(id)
  await setup.pool.query(`update announcements set updated_at = updated_at - interval '8 days'`)
  return { ...setup, id }
}

test('a stopped announcement ends for good when its recipients are deleted after a week', async (t) => {
  const { id, start, countRecipients, readAnnouncement, db } = await stoppedAnnouncement(t)
  await purgeRecipients(db)
  assert.equal(await countRecipients(), 0)
  assert.partialDeepStrictEqual(await readAnnouncement(id), { state: 'sent', counts: { sent: 1 } })
  assert.equal((await start(id)).body.code, 'announcement_sent')
})

test('race: an announcement that is resumed during the deletion of recipients reaches no one twice', async (t) => {
  const { id, start, send, queue, passSeconds, countRecipients, readAnnouncement, db } =
    await stoppedAnnouncement(t)
  const lock = (tx: Tx) => tx.selectFrom('announcements').select('id').forUpdate().execute()
  const calls = [() => start(id, 60), () => purgeRecipients(db)]
  const [resuming, purging] = await meetAtLock<unknown>(db, lock, calls)
  assert.partialDeepStrictEqual(await resuming, { status: 200 })
  await purging
  assert.equal((await readAnnouncement(id)).state, 'sending')
  assert.equal(await countRecipients(), 1)

  await queue()
  await send()
  await passSeconds(60)
  await queue()
  assert.partialDeepStrictEqual(await readAnnouncement(id), { state: 'sent', counts: { sent: 2 } })
})
