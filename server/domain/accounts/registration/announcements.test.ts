import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import * as accounts from '#contract/accounts/accounts.ts'
import { PASSWORD, testApi } from '#server/testing/api.ts'

async function register(t: TestContext, values: readonly (boolean | undefined)[]) {
  const api = await testApi(t)
  const email = 'pip@mail.example'
  for (const [index, announcements] of values.entries()) {
    const body = { username: `pip${index}`, email, password: PASSWORD, announcements }
    const { status } = await api.call(accounts.register, { body: JSON.parse(JSON.stringify(body)) })
    assert.equal(status, 201)
    // Skip the cooldown.
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

test('records the time at which announcements were requested', async (t) => {
  const user = await register(t, [true])
  assert.ok(user?.announcements_at instanceof Date)
  assert.ok(Math.abs(Date.now() - user.announcements_at.getTime()) < 60_000)
})

test('records no consent when announcements is missing or false', async (t) => {
  assert.equal((await register(t, [undefined]))?.announcements_at, null)
  assert.equal((await register(t, [false]))?.announcements_at, null)
})

test('keeps the consent given with the registration that is verified', async (t) => {
  assert.equal((await register(t, [true, false]))?.announcements_at, null)
  assert.ok((await register(t, [false, true]))?.announcements_at)
})

test('rejects announcements that is not a boolean, naming the field', async (t) => {
  const api = await testApi(t)
  for (const announcements of ['yes', 1, null]) {
    const body = { username: 'pip', email: 'pip@mail.example', password: PASSWORD, announcements }
    const { status, body: answer } = await api.call(accounts.register, { body })
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(answer.fields ?? {}), ['announcements'])
  }
})
