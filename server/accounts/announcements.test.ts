import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import * as accounts from '#contract/accounts.ts'
import { PASSWORD, testApi } from '../testing/api.ts'

async function joined(t: TestContext, wishes: readonly (boolean | undefined)[]) {
  const api = await testApi(t)
  const email = 'pip@mail.example'
  for (const [index, announcements] of wishes.entries()) {
    const body = { username: `pip${index}`, email, password: PASSWORD, announcements }
    const { status } = await api.call(accounts.register, { body: JSON.parse(JSON.stringify(body)) })
    assert.equal(status, 201)
    // As if the minute between two codes were over.
    await sql`update codes set starts_at = starts_at - interval '2 minutes'`.execute(api.db)
  }
  const otp = await api.codeFor(email)
  assert.equal((await api.call(accounts.verifyEmail, { body: { email, otp } })).status, 200)
  return api.db
    .selectFrom('users')
    .select('announcements_at')
    .where('email_key', '=', email)
    .executeTakeFirst()
}

test('who asked for announcements is remembered with the time of asking', async (t) => {
  const user = await joined(t, [true])
  assert.ok(user?.announcements_at instanceof Date)
  assert.ok(Math.abs(Date.now() - user.announcements_at.getTime()) < 60_000)
})

test('nobody is taken to have asked: neither by silence nor by no', async (t) => {
  assert.equal((await joined(t, [undefined]))?.announcements_at, null)
  assert.equal((await joined(t, [false]))?.announcements_at, null)
})

test('of several registrations the one that is verified decides', async (t) => {
  assert.equal((await joined(t, [true, false]))?.announcements_at, null)
  assert.ok((await joined(t, [false, true]))?.announcements_at)
})

test('a wish that is no yes or no is refused by name', async (t) => {
  const api = await testApi(t)
  for (const announcements of ['yes', 1, null]) {
    const body = { username: 'pip', email: 'pip@mail.example', password: PASSWORD, announcements }
    const { status, body: answer } = await api.call(accounts.register, { body })
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(answer.fields ?? {}), ['announcements'])
  }
})
