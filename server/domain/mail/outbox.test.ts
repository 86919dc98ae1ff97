import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import * as contract from '#contract/dashboard/mail.ts'
import { purgeJobs, runDue } from '#server/platform/jobs/jobs.ts'
import { testApi } from '#server/testing/api.ts'
import { createAdmin } from '#server/testing/builders/create-users.ts'
import {
  letterTemplates as templates,
  NONCE,
  queueLetter,
  smtpDelivery,
} from '#server/testing/builders/mail-delivery.ts'
import { refusalOf } from '#server/testing/checks/refusals.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { OUTBOX } from '#messages/dashboard-mail.js'
import { mailTemplates } from '../../app.ts'
import { codeOf } from '../accounts/codes/one-time-codes.ts'
import { deliver } from './deliver.ts'
import { MAIL_JOB } from './send-later.ts'

async function setUp(t: TestContext) {
  const api = await testApi(t)
  const { deps, db } = api
  const { smtp, delivery } = await smtpDelivery(t, deps, { templates })
  const queue = (to: string, timing = {}) => queueLetter(db, to, timing)
  /** @returns how many emails were attempted. */
  const run = () => runDue(db, MAIL_JOB, (job) => deliver(delivery, job))
  const { token } = await createAdmin(api)
  const list = async (query: Record<string, string> = {}) => {
    const { body } = await api.call(contract.listMail, { token, query })
    return { entries: body.data as contract.OutboxEntry[], next: body['next'] as string | null }
  }
  const readSummary = async () =>
    (await api.call(contract.mailSummary, { token })).body.data as contract.Outbox
  const resend = (id: string) => api.call(contract.resendMail, { token, params: { id } })
  return { ...api, smtp, queue, run, token, list, readSummary, resend, code: codeOf(deps.keys, NONCE) }
}

test('each email has a name in the dashboard', () => {
  assert.deepEqual(Object.keys(OUTBOX.templates).toSorted(), Object.keys(mailTemplates).toSorted())
})

test('shows what became of each email, with the mail server’s answer, without codes, links and addresses', async (t) => {
  const { smtp, queue, run, list, readSummary, code } = await setUp(t)
  const refusals = {
    'slow@mail.example': { code: 451, text: '4.7.1 Try later, slow@mail.example' },
    'bad@mail.example': { code: 554, text: `5.7.1 ${code} and https://site.example/x?token=t look bad` },
  }
  for (const [to, refusal] of Object.entries(refusals)) smtp.behaviors.set(to, { at: 'data', ...refusal })
  await queue('good@mail.example')
  await queue('slow@mail.example')
  await queue('bad@mail.example')
  await queue('late@mail.example', { usefulUntil: new Date(Date.now() - 1_000) })
  await queue('next@mail.example', { runAt: new Date(Date.now() + 3_600_000) })
  await run()

  const { entries } = await list()
  assert.deepEqual(
    entries.map(({ to, state, attempts, canResend }) => ({ to, state, attempts, canResend })),
    [
      { to: 'n•••@mail.example', state: 'waiting', attempts: 0, canResend: false },
      { to: 'l•••@mail.example', state: 'expired', attempts: 0, canResend: false },
      { to: 'b•••@mail.example', state: 'failed', attempts: 1, canResend: true },
      { to: 's•••@mail.example', state: 'deferred', attempts: 1, canResend: true },
      { to: 'g•••@mail.example', state: 'sent', attempts: 1, canResend: false },
    ],
  )
  assert.ok(entries.every(({ username }) => username === 'alice'))
  const [, , failed, deferred, sent] = entries
  assert.match(failed?.answer ?? '', /^554 5\.7\.1 … and … look bad$/)
  assert.match(deferred?.answer ?? '', /^451 4\.7\.1 Try later, …$/)
  assert.match(sent?.answer ?? '', /^250 /)
  const recipients = smtp.letters.map(({ to }) => to)
  assert.deepEqual(recipients, [['good@mail.example']])
  const { waitingSince, ...counts } = await readSummary()
  assert.deepEqual(counts, { waiting: 1, deferred: 1, sent: 1, failed: 1, expired: 1, suppressed: 0 })
  // The oldest that is still to be sent.
  assert.equal(waitingSince, entries.find(({ state }) => state === 'deferred')?.queuedAt)
})

test('lists emails by state or by address, page by page, until a week after they are finished', async (t) => {
  const { smtp, queue, run, db, pool, list } = await setUp(t)
  smtp.behaviors.set('b@mail.example', { at: 'rcpt', code: 550 })
  for (const to of ['a@mail.example', 'b@mail.example', 'A@mail.example']) await queue(to)
  await run()
  const readMasked = async (query: Record<string, string>) => (await list(query)).entries.map(({ to }) => to)
  assert.deepEqual(await readMasked({ state: 'failed' }), ['b•••@mail.example'])
  assert.deepEqual(await readMasked({ to: 'a@MAIL.example' }), ['A•••@mail.example', 'a•••@mail.example'])
  const firstPage = await list({ limit: '2' })
  assert.equal(firstPage.entries.length, 2)
  const lastPage = await list({ limit: '2', after: firstPage.next ?? '' })
  assert.equal(lastPage.entries.length, 1)
  assert.equal(lastPage.next, null)

  await pool.query(`
    update jobs set done_at = done_at - interval '8 days', dead_at = dead_at - interval '8 days'`)
  await purgeJobs(db)
  assert.deepEqual((await list()).entries, [])
  assert.equal((await pool.query('select from mail_answers')).rowCount, 0, 'answers go with their emails')
})

test('resends a failed or deferred email once, with the same Message-ID', async (t) => {
  const { smtp, queue, run, list, resend, db } = await setUp(t)
  smtp.behaviors.set('failed@mail.example', { at: 'data', code: 554 })
  smtp.behaviors.set('deferred@mail.example', { at: 'data', code: 451 })
  const ids = [await queue('failed@mail.example'), await queue('deferred@mail.example')]
  const assertNotResendable = async () => {
    for (const id of ids) assert.deepEqual(refusalOf(await resend(id)), [409, 'mail_not_resendable'])
  }
  assert.deepEqual(refusalOf(await resend(crypto.randomUUID())), [404, 'mail_not_found'])
  await run()
  smtp.behaviors.clear()
  assert.equal(await run(), 0, 'the deferred email is not due yet')
  for (const id of ids) assert.equal((await resend(id)).status, 200)
  await assertNotResendable()

  assert.equal(await run(), 2)
  const messageIds = smtp.letters.map(({ raw }) => /^Message-ID: <(.*)@/im.exec(raw)?.[1] ?? '')
  assert.deepEqual(messageIds.toSorted(), ids.toSorted())
  await assertNotResendable()
  const states = (await list()).entries.map(({ state }) => state)
  assert.deepEqual(states, ['sent', 'sent'])
  const subjects = (await entriesOf(db, { action: 'mail.resent' })).map(({ subject }) => subject)
  assert.deepEqual(subjects, ids)
})

test('resends all emails that failed lately, except expired codes and suppressed emails', async (t) => {
  const { smtp, queue, run, call, token, db, pool } = await setUp(t)
  const queueFailing = (to: string, timing = {}) => {
    smtp.behaviors.set(to, { at: 'data', code: 554 })
    return queue(to, timing)
  }
  await queueFailing('a@mail.example')
  await queueFailing('b@mail.example')
  const old = await queueFailing('old@mail.example')
  const code = await queueFailing('code@mail.example', { usefulUntil: new Date(Date.now() + 600_000) })
  const suppressed = await queueFailing('gone@mail.example')
  await run()
  await pool.query(`update jobs set dead_at = now() - interval '3 hours' where id = $1`, [old])
  await pool.query(`update jobs set useful_until = now() - interval '1 second' where id = $1`, [code])
  await pool.query(`update mail_answers set outcome = 'suppressed' where job = $1`, [suppressed])
  smtp.behaviors.clear()
  const { body } = await call(contract.resendFailedMail, { token, body: { hours: 2 } })
  assert.equal(body['resent'], 2)
  const entries = (await entriesOf(db, { action: 'mail.resent' })).map(({ after }) => after)
  assert.deepEqual(entries, [{ count: 2 }])
  await run()
  assert.deepEqual(smtp.letters.flatMap(({ to }) => to).toSorted(), ['a@mail.example', 'b@mail.example'])
})
