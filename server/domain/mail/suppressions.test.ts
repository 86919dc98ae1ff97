import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import * as contract from '#contract/dashboard/mail.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { runDue } from '#server/platform/jobs/jobs.ts'
import { testApi } from '#server/testing/api.ts'
import { createAdmin } from '#server/testing/builders/create-users.ts'
import { testDatabase } from '#server/testing/database/database.ts'
import { refusalOf } from '#server/testing/checks/refusals.ts'
import { NONCE, smtpDelivery } from '#server/testing/builders/mail-delivery.ts'
import type { Behavior } from '#server/testing/fakes/smtp.ts'
import { deliver } from './deliver.ts'
import { eraseMails } from './outbox.ts'
import { MAIL_JOB, sendLater } from './send-later.ts'
import type { Transport } from './transport.ts'
import { isSuppressed, purgeSuppressions, suppress } from './suppressions.ts'

const TO = 'al@mail.example'
const NO_USER: Behavior = { at: 'rcpt', code: 550, text: '5.1.1 User unknown' }

async function setUp(t: TestContext) {
  const api = await testApi(t)
  const { deps, db } = api
  const { smtp, delivery } = await smtpDelivery(t, deps)
  const send = async (template: string, to = TO) => {
    const values = { username: 'alice', nonce: NONCE }
    await inTransaction(db, (tx) => sendLater(tx, { template, to, values }))
    await runDue(db, MAIL_JOB, (job) => deliver(delivery, job))
  }
  const readSubjects = () => smtp.letters.map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw)?.[1])
  const { token } = await createAdmin(api)
  const list = async () =>
    (await api.call(contract.listSuppressions, { token })).body.data as contract.SuppressedAddress[]
  const add = (email: string) => api.call(contract.addSuppression, { token, body: { email } })
  const readMailActions = async () => {
    const entries = await db.selectFrom('journal').select('action').orderBy('id').execute()
    return entries.map(({ action }) => action).filter((action) => action.startsWith('mail.'))
  }
  return { ...api, smtp, delivery, send, readSubjects, token, list, add, readMailActions }
}

test('an address that does not exist gets no further emails, which the outbox shows as suppressed', async (t) => {
  const { smtp, send, readSubjects, list, call, token } = await setUp(t)
  smtp.behaviors.set(TO, NO_USER)
  await send('claim-received')
  smtp.behaviors.clear()
  await send('claim-received')
  assert.deepEqual(readSubjects(), [])
  const [suppressed] = await list()
  assert.equal(suppressed?.email, 'a•••@mail.example')
  assert.match(suppressed?.answer ?? '', /5\.1\.1 User unknown/)
  const { body } = await call(contract.listMail, { token, query: { state: 'suppressed' } })
  const entries = body.data as contract.OutboxEntry[]
  assert.equal(entries.length, 1)
  const entry = { template: 'claim-received', to: 'a•••@mail.example', attempts: 1 }
  assert.partialDeepStrictEqual(entries, [entry])
})

test('an address that is erased while it refuses an email is not stored', async (t) => {
  const { db, smtp, delivery, list } = await setUp(t)
  smtp.behaviors.set(TO, NO_USER)
  const values = { username: 'alice' }
  await inTransaction(db, (tx) => sendLater(tx, { template: 'claim-received', to: TO, values }))
  const transport: Transport = {
    ...delivery.transport,
    send: async (mail, signal) => {
      const attempt = await delivery.transport.send(mail, signal)
      // The account is deleted before the answer is stored.
      await inTransaction(db, (tx) => eraseMails(tx, TO))
      return attempt
    },
  }
  await runDue(db, MAIL_JOB, (job) => deliver({ ...delivery, transport }, job))
  assert.deepEqual(await list(), [])
})

test('a code is sent to a suppressed address, and its delivery ends the suppression', async (t) => {
  const { smtp, send, list } = await setUp(t)
  for (const template of ['verify-email', 'reset-password']) {
    const before = smtp.letters.length
    smtp.behaviors.set(TO, NO_USER)
    await send('claim-received')
    await send(template)
    assert.equal((await list())[0]?.refusals, 2, `${template} is tried and refused`)
    smtp.behaviors.clear()
    await send(template)
    assert.equal(smtp.letters.length, before + 1)
    assert.deepEqual(await list(), [])
    await send('claim-received')
    assert.equal(smtp.letters.length, before + 2)
  }
})

test('a refusal suppresses no address if it is temporary, about policy, content or sender, or of a deletion’s confirmation', async (t) => {
  const { smtp, send, readSubjects, list } = await setUp(t)
  const refusals: Behavior[] = [
    { at: 'rcpt', code: 550, text: '5.7.1 Blocked by policy' },
    { at: 'rcpt', code: 550, text: '5.1.8 Bad sender domain' },
    { at: 'data', code: 554, text: '5.1.1 User unknown' },
    { at: 'rcpt', code: 450, text: '4.1.1 User unknown' },
  ]
  for (const behavior of refusals) {
    smtp.behaviors.set(TO, behavior)
    await send('claim-received')
  }
  smtp.behaviors.set(TO, NO_USER)
  await send('account-deleted')
  assert.deepEqual(await list(), [])
  smtp.behaviors.clear()
  await send('claim-received')
  assert.equal(readSubjects().length, 1, 'the address is not suppressed')
})

test('each refusal doubles how long an address is suppressed, up to 32 days; announcements to it stay suppressed', async (t) => {
  const { db, pool } = await testDatabase(t)
  for (const days of [1, 2, 4, 8, 16, 32, 32]) {
    await suppress(db, TO, '550 5.1.1 User unknown')
    const { rows } = await pool.query(
      `select round(extract(epoch from until - now()) / 86400)::int as days from suppressions`,
    )
    assert.deepEqual(rows, [{ days }])
  }
  const isUnsent = (template: string) => isSuppressed(db, { template, to: TO.toUpperCase(), values: {} })
  assert.equal(await isUnsent('claim-received'), true)
  await pool.query(`update suppressions set until = now() - interval '1 second'`)
  assert.equal(await isUnsent('claim-received'), false)
  assert.equal(await isUnsent('announcement'), true)
})

test('an address suppressed by an administrator gets only codes until an administrator ends the suppression', async (t) => {
  const { smtp, add, list, send, readSubjects, call, token, readMailActions } = await setUp(t)
  assert.equal((await add('no address')).status, 400)
  assert.equal((await add(' AL@Mail.example ')).status, 200)
  assert.equal((await add(TO)).status, 200)
  await send('claim-received')
  assert.deepEqual(readSubjects(), [])
  smtp.behaviors.set(TO, NO_USER)
  await send('reset-password')
  smtp.behaviors.clear()
  await send('reset-password')
  assert.equal(readSubjects().length, 1, 'only the code is sent')
  const [suppressed, ...others] = await list()
  assert.partialDeepStrictEqual(suppressed, { answer: null, until: null })
  assert.deepEqual(others, [])

  const remove = () => call(contract.removeSuppression, { token, params: { id: suppressed?.id ?? '' } })
  assert.equal((await remove()).status, 200)
  assert.deepEqual(refusalOf(await remove()), [404, 'suppression_not_found'])
  await send('claim-received')
  assert.equal(readSubjects().length, 2)
  assert.deepEqual(await readMailActions(), ['mail.suppressed', 'mail.suppressed', 'mail.unsuppressed'])
})

test('a suppression is forgotten a year after the last refusal, unless an administrator made it', async (t) => {
  const { db, pool, add, list } = await setUp(t)
  await suppress(db, TO, '550 5.1.1 User unknown')
  await suppress(db, 'bo@mail.example', '550 5.1.1 User unknown')
  await add('cy@mail.example')
  const ageOthers = `update suppressions set refused_at = now() - interval '366 days' where email_key <> $1`
  await pool.query(ageOthers, [TO])
  await purgeSuppressions(db)
  const emails = (await list()).map(({ email }) => email)
  assert.deepEqual(emails, ['a•••@mail.example', 'c•••@mail.example'])
})
