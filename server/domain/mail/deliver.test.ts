import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { codeOf } from '../accounts/codes/one-time-codes.ts'
import { runDue } from '#server/platform/jobs/jobs.ts'
import { headerOf } from '#server/testing/builders/announcements.ts'
import {
  letterTemplates as templates,
  NONCE,
  queueLetter,
  smtpDelivery,
} from '#server/testing/builders/mail-delivery.ts'
import { testDatabase } from '#server/testing/database/database.ts'
import { testDeps } from '#server/testing/deps.ts'
import { logLines } from '#server/testing/checks/log-lines.ts'
import { until } from '#server/testing/until.ts'
import { deliver } from './deliver.ts'
import { MAIL_JOB } from './send-later.ts'

const TO = 'al@mail.example'

async function setUp(t: TestContext, timeoutMs?: number) {
  const { db, pool } = await testDatabase(t)
  const logged = logLines()
  const deps = await testDeps(db, undefined, logged.log)
  const from = 'Pocket Future <no-reply@site.example>'
  const { smtp, delivery } = await smtpDelivery(t, deps, { templates, from, timeoutMs })
  const queue = (to = TO) => queueLetter(db, to)
  /** @returns how many emails were attempted. */
  const run = (stop?: AbortSignal) =>
    runDue(db, MAIL_JOB, (job, signal) => deliver(delivery, job, signal), stop ? { stop, graceMs: 20 } : {})
  const stateOf = async (id: string) => {
    const { rows } = await pool.query<{ state: string; last_error: string | null; attempts: number }>(
      `select case when done_at is not null then 'done' when dead_at is not null then 'dead' else 'queued' end as state,
         last_error, attempts from jobs where id = $1`,
      [id],
    )
    return rows[0]
  }
  const makeDue = () => pool.query('update jobs set run_at = now(), leased_until = null')
  return { pool, smtp, logged, queue, run, stateOf, makeDue, code: codeOf(deps.keys, NONCE) }
}

test('an accepted email arrives once, with both parts and the code', async (t) => {
  const { smtp, queue, run, stateOf, code } = await setUp(t)
  const id = await queue()
  assert.equal(await run(), 1)
  assert.equal(await run(), 0)
  assert.deepEqual(await stateOf(id), { state: 'done', last_error: null, attempts: 1 })
  assert.equal(smtp.letters.length, 1)
  const [letter] = smtp.letters
  assert.ok(letter)
  assert.equal(letter.from, 'no-reply@site.example')
  assert.deepEqual(letter.to, [TO])
  assert.equal(headerOf(letter, 'from'), 'Pocket Future <no-reply@site.example>')
  assert.equal(headerOf(letter, 'to'), TO)
  assert.equal(headerOf(letter, 'message-id'), `<${id}@site.example>`)
  assert.match(headerOf(letter, 'content-type') ?? '', /^multipart\/alternative/)
  assert.match(letter.raw, new RegExp(`^    ${code}\r$`, 'm'))
  assert.match(letter.raw, /Content-Type: text\/html/)
})

test('an email that cannot be delivered yet is retried with the same Message-ID until it is accepted', async (t) => {
  const { smtp, queue, run, stateOf, makeDue } = await setUp(t)
  const id = await queue()
  const assertRetried = async (error: RegExp) => {
    await run()
    const job = await stateOf(id)
    assert.equal(job?.state, 'queued')
    assert.match(job.last_error ?? '', error)
    assert.equal(smtp.letters.length, 0)
    await makeDue()
  }
  for (const [at, code] of [
    ['rcpt', 451],
    ['data', 451],
    ['rcpt', 421],
  ] as const) {
    smtp.behaviors.set(TO, { at, code })
    await assertRetried(new RegExp(String(code)))
  }
  smtp.behaviors.clear()
  await smtp.down()
  await assertRetried(/ECONNREFUSED/)
  await smtp.up()
  await run()
  assert.equal((await stateOf(id))?.state, 'done')
  const messageIds = smtp.letters.map((letter) => headerOf(letter, 'message-id'))
  assert.deepEqual(messageIds, [`<${id}@site.example>`])
})

test('an email that is refused permanently is not retried, and delays no other email', async (t) => {
  const { smtp, queue, run, stateOf, makeDue } = await setUp(t)
  smtp.behaviors.set('nobody@mail.example', { at: 'rcpt', code: 550, text: 'nobody@mail.example No.' })
  smtp.behaviors.set('spam@mail.example', { at: 'data', code: 554 })
  const [nobody, spam] = [await queue('nobody@mail.example'), await queue('spam@mail.example')]
  const al = await queue()
  await run()
  await makeDue()
  await run()
  const states = await Promise.all([nobody, spam, al].map(async (id) => (await stateOf(id))?.state))
  assert.deepEqual(states, ['dead', 'dead', 'done'])
  assert.deepEqual(await stateOf(nobody), { state: 'dead', last_error: '550 … No.', attempts: 1 })
  const recipients = smtp.letters.map(({ to }) => to)
  assert.deepEqual(recipients, [[TO]])
})

for (const [cause, isCrash] of [
  ['the server closes the connection after the email', false],
  ['the node crashes before it records that the email was accepted', true],
] as const)
  test(`resends an email with the same Message-ID and code if ${cause}`, async (t) => {
    const { smtp, queue, run, stateOf, makeDue, pool, code } = await setUp(t)
    if (!isCrash) smtp.behaviors.set(TO, 'drop')
    const id = await queue()
    await run()
    if (isCrash) await pool.query('update jobs set done_at = null')
    assert.equal((await stateOf(id))?.state, 'queued')
    smtp.behaviors.clear()
    await makeDue()
    await run()
    assert.equal((await stateOf(id))?.state, 'done')
    const sent = smtp.letters.map((letter) => [
      headerOf(letter, 'message-id'),
      /^ {4}(\d{6})\r$/m.exec(letter.raw)?.[1],
    ])
    const idAndCode = [`<${id}@site.example>`, code]
    assert.deepEqual(sent, [idAndCode, idAndCode])
  })

test('an email is deferred if the mail server is too slow, and the next email is sent', async (t) => {
  const timeoutMs = 200
  const { smtp, queue, run, stateOf } = await setUp(t, timeoutMs)
  // The timeouts of the emails, in order of sending. The test makes them expire.
  const expiries: AbortController[] = []
  const { timeout } = AbortSignal
  t.mock.method(AbortSignal, 'timeout', (milliseconds: number) => {
    if (milliseconds !== timeoutMs) return timeout(milliseconds)
    expiries.push(new AbortController())
    return expiries.at(-1)?.signal
  })
  const slow = ['a', 'b', 'c', 'd'].map((local) => `${local}@slow.example`)
  const ids: string[] = []
  for (const to of slow) {
    smtp.behaviors.set(to, 'drip') // an answer that never ends
    ids.push(await queue(to))
  }
  const good = await queue()
  const running = run()
  // At most four emails are sent at once, so `good` waits.
  await until('all slow emails are being sent', () => expiries.length === slow.length)
  for (const expiry of expiries) expiry.abort()
  await running
  const deferred = { state: 'queued', last_error: 'The mail server took longer than 0.2 s.' }
  for (const id of ids) assert.partialDeepStrictEqual(await stateOf(id), deferred)
  assert.equal((await stateOf(good))?.state, 'done')
})

test('a shutdown aborts an email that hangs and leaves it queued', async (t) => {
  const { smtp, queue, run, stateOf } = await setUp(t)
  smtp.behaviors.set(TO, 'drip') // an answer that never ends
  const id = await queue()
  const stop = new AbortController()
  const running = run(stop.signal)
  await until('the email is being sent', () => smtp.countOpenConnections() > 0)
  stop.abort()
  await running
  const interrupted = { state: 'queued', last_error: 'Sending was interrupted.' }
  assert.partialDeepStrictEqual(await stateOf(id), interrupted)
})

test('sends many emails over at most four connections', async (t) => {
  const { smtp, queue, run } = await setUp(t)
  const emails = 12
  for (let count = 0; count < emails; count += 1) await queue(`p${count}@mail.example`)
  assert.equal(await run(), emails)
  assert.equal(smtp.letters.length, emails)
  assert.ok(smtp.countConnections() <= 4, `${smtp.countConnections()} connections`)
})

test('logs a temporary refusal as a warning and a permanent one as an error, without addresses', async (t) => {
  const { smtp, logged, queue, run, makeDue } = await setUp(t)
  smtp.behaviors.set(TO, { at: 'rcpt', code: 451, text: `${TO} is busy` })
  const id = await queue()
  await run()
  smtp.behaviors.set(TO, { at: 'rcpt', code: 550, text: `${TO} is away` })
  await makeDue()
  await run()
  smtp.behaviors.clear()
  await queue()
  await run()
  const lines = logged.lines()
  const mail = { event: 'mail', template: 'letter', email: 'a•••@mail.example' }
  assert.equal(lines.length, 3)
  // Levels of pino: 30 is info, 40 a warning, 50 an error.
  assert.partialDeepStrictEqual(lines, [
    { level: 40, ...mail, job: id, outcome: 'deferred', attempt: 1, answer: '451 … is busy' },
    { level: 50, ...mail, job: id, outcome: 'refused', attempt: 2, answer: '550 … is away' },
    { level: 30, ...mail, outcome: 'sent', attempt: 1 },
  ])
  assert.ok(!logged.text().includes(TO))
})
