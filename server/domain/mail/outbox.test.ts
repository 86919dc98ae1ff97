import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import * as contract from '#contract/dashboard/mail.ts'
import { purgeJobs, runDue } from '#server/platform/jobs.ts'
import { testApi } from '#server/testing/api.ts'
import { letterTemplates as templates, NONCE, queueLetter } from '#server/testing/builders/letter.ts'
import { smtpDelivery } from '#server/testing/builders/smtp-delivery.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { codeOf } from '../accounts/codes/one-time-codes.ts'
import { deliver } from './deliver.ts'
import { MAIL_JOB } from './send-later.ts'

async function setUp(t: TestContext) {
  const api = await testApi(t)
  const { deps, db, pool } = api
  const { smtp, delivery } = await smtpDelivery(t, deps, { templates })
  const queue = (to: string, timing = {}) => queueLetter(db, to, timing)
  const run = () => runDue(db, MAIL_JOB, (job) => deliver(delivery, job))
  const { token } = await api.administrator()
  await pool.query('delete from jobs')
  const list = async (query: Record<string, string> = {}) => {
    const { body } = await api.call(contract.listMail, { token, query })
    return { entries: body.data as contract.OutboxEntry[], next: body['next'] as string | null }
  }
  const summary = async () => (await api.call(contract.mailSummary, { token })).body.data as contract.Outbox
  const resend = (id: string) => api.call(contract.resendMail, { token, params: { id } })
  return { ...api, smtp, queue, run, token, list, summary, resend, code: codeOf(deps.keys, NONCE) }
}

test('shows what became of each email without its address, and answers without codes, links and addresses; an expired email is never sent', async (t) => {
  const { smtp, queue, run, list, summary, code } = await setUp(t)
  const deferral = '4.7.1 Try later, slow@mail.example'
  smtp.behaviors.set('slow@mail.example', { at: 'data', code: 451, text: deferral })
  const refusal = `5.7.1 ${code} and https://site.example/x?token=t look bad`
  smtp.behaviors.set('bad@mail.example', { at: 'data', code: 554, text: refusal })
  await queue('good@mail.example')
  await queue('slow@mail.example')
  await queue('bad@mail.example')
  await queue('late@mail.example', { usefulUntil: new Date(Date.now() - 1_000) })
  await queue('next@mail.example', { runAt: new Date(Date.now() + 3_600_000) })
  await run()
  const { entries } = await list()
  const shown = entries.map(({ to, state, attempts, canResend }) => [to, state, attempts, canResend])
  assert.deepEqual(shown, [
    ['n•••@mail.example', 'waiting', 0, false],
    ['l•••@mail.example', 'expired', 0, false],
    ['b•••@mail.example', 'failed', 1, true],
    ['s•••@mail.example', 'deferred', 1, true],
    ['g•••@mail.example', 'sent', 1, false],
  ])
  const answers = Object.fromEntries(entries.map(({ state, answer }) => [state, answer]))
  assert.match(answers['sent'] ?? '', /^250 /)
  assert.match(answers['deferred'] ?? '', /^451 4\.7\.1 Try later, …$/)
  assert.match(answers['failed'] ?? '', /^554 5\.7\.1 … and … look bad$/)
  assert.deepEqual(new Set(entries.map(({ username }) => username)), new Set(['alice']))
  assert.equal(smtp.letters.length, 1)
  const { waitingSince, ...counts } = await summary()
  assert.deepEqual(counts, { waiting: 1, deferred: 1, sent: 1, failed: 1, expired: 1, suppressed: 0 })
  assert.equal(waitingSince, entries.find(({ state }) => state === 'deferred')?.queuedAt)
})

test('lists emails by state, by exact address and page by page', async (t) => {
  const { smtp, queue, run, list } = await setUp(t)
  smtp.behaviors.set('b@mail.example', { at: 'rcpt', code: 550 })
  for (const to of ['a@mail.example', 'b@mail.example', 'A@mail.example']) await queue(to)
  await run()
  const masks = async (query: Record<string, string>) => (await list(query)).entries.map(({ to }) => to)
  assert.deepEqual(await masks({ state: 'failed' }), ['b•••@mail.example'])
  assert.deepEqual(await masks({ to: 'a@MAIL.example' }), ['A•••@mail.example', 'a•••@mail.example'])
  const first = await list({ limit: '2' })
  const second = await list({ limit: '2', after: first.next ?? '' })
  assert.deepEqual([first.entries.length, second.entries.length, second.next], [2, 1, null])
})

test('resends a failed or deferred email at once and only once, under its Message-ID, and journals it', async (t) => {
  const { smtp, queue, run, list, resend, db } = await setUp(t)
  smtp.behaviors.set('a@mail.example', { at: 'data', code: 554 })
  smtp.behaviors.set('b@mail.example', { at: 'data', code: 451 })
  const ids = [await queue('a@mail.example'), await queue('b@mail.example')]
  await run()
  smtp.behaviors.clear()
  assert.equal(await run(), 0)
  for (const id of ids) assert.equal((await resend(id)).status, 200)
  assert.equal((await resend(ids[0] ?? '')).body.code, 'mail_not_resendable')
  assert.equal(await run(), 2)
  const messageIds = smtp.letters.map(({ raw }) => /^Message-ID: <(.*)@/im.exec(raw)?.[1] ?? '').toSorted()
  assert.deepEqual(messageIds, ids.toSorted())
  for (const id of ids) assert.equal((await resend(id)).body.code, 'mail_not_resendable')
  assert.equal((await resend(crypto.randomUUID())).body.code, 'mail_not_found')
  const states = (await list()).entries.map(({ state }) => state)
  assert.deepEqual(states, ['sent', 'sent'])
  const subjects = (await entriesOf(db, { action: 'mail.resent' })).map(({ subject }) => subject)
  assert.deepEqual(subjects, ids)
})

test('resends all that failed lately, but no code that has expired and nothing suppressed, and journals how many', async (t) => {
  const { smtp, queue, run, call, token, db, pool } = await setUp(t)
  const failing = ['a', 'b', 'old', 'code', 'gone'].map((local) => `${local}@mail.example`)
  for (const to of failing) smtp.behaviors.set(to, { at: 'data', code: 554 })
  for (const to of failing)
    await queue(to, to.startsWith('code') ? { usefulUntil: new Date(Date.now() + 600_000) } : {})
  await run()
  await pool.query(`update jobs set dead_at = now() - interval '3 hours' where payload->>'to' like 'old@%'`)
  await pool.query(
    `update jobs set useful_until = now() - interval '1 second' where payload->>'to' like 'code@%'`,
  )
  await pool.query(`update mail_answers set outcome = 'suppressed' where job in (
    select id from jobs where payload->>'to' like 'gone@%')`)
  smtp.behaviors.clear()
  const { body } = await call(contract.resendFailedMail, { token, body: { hours: 2 } })
  assert.equal(body['resent'], 2)
  const [entry, ...others] = await entriesOf(db, { action: 'mail.resent' })
  assert.deepEqual([entry?.after, others], [{ count: 2 }, []])
  await run()
  assert.deepEqual(smtp.letters.flatMap(({ to }) => to).toSorted(), ['a@mail.example', 'b@mail.example'])
})

test('a week after an email is finished, it is deleted together with the mail server’s answer', async (t) => {
  const { queue, run, db, pool, list } = await setUp(t)
  await queue('a@mail.example')
  await run()
  await pool.query(`update jobs set done_at = now() - interval '8 days'`)
  await purgeJobs(db)
  assert.deepEqual((await list()).entries, [])
  assert.equal((await pool.query('select from mail_answers')).rowCount, 0)
})
