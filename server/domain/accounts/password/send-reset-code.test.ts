import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgotPassword } from '#contract/accounts/accounts.ts'
import { accountApi, apiWithAccount, EMAIL } from '#server/testing/account-api.ts'
import { comparable } from '#server/testing/checks/comparable.ts'
import { refusalOf } from '#server/testing/checks/refusals.ts'
import { countStatements } from '#server/testing/database/count-statements.ts'
import { sendResetCode } from './send-reset-code.ts'

test('replies identically to a verified, banned, pending and unknown email, and to each again within a minute', async (t) => {
  const api = await apiWithAccount(t)
  await api.createAccount('banned', 'banned@mail.example')
  await api.pool.query(`update users set banned_at = now() where username = 'banned'`)
  await api.register({ username: 'pending', email: 'pending@mail.example' })
  for (const [request, message] of [
    [api.forgot, 'Password reset code sent! Check your email to continue.'],
    [(email: string) => api.resend(email, 'reset-password'), 'OTP resent successfully!'],
    [api.resend, 'OTP resent successfully!'],
  ] as const) {
    await api.passCooldown()
    for (const expected of [message, 'We just sent a code. Please wait before requesting another.']) {
      const answers = []
      for (const email of [EMAIL, 'banned@mail.example', 'pending@mail.example', 'nobody@mail.example'])
        answers.push(await request(email))
      assert.equal(answers[0]?.body.message, expected)
      assert.equal(new Set(answers.map(comparable)).size, 1)
    }
  }
})

test('sends an email only if there is an account, to its registered address', async (t) => {
  const api = await accountApi(t)
  await api.createAccount('alice', 'Al@mail.example')
  await api.register({ username: 'pending', email: 'pending@mail.example' })
  for (const email of ['AL@MAIL.EXAMPLE', 'pending@mail.example', 'nobody@mail.example'])
    await api.forgot(email)
  const { rows } = await api.pool.query(
    `select payload->>'to' as to from jobs where payload->>'template' = 'reset-password'`,
  )
  assert.deepEqual(rows, [{ to: 'Al@mail.example' }])
})

test('runs as many statements for an unknown email as for that of an account', async (t) => {
  const api = await apiWithAccount(t)
  const { db, countOf } = countStatements(api.db)
  const countFor = (email: string) =>
    countOf(() => sendResetCode({ ...api.deps, db }, email, { network: '192.0.2.1' }))
  for (const request of ['first', 'second']) {
    const known = await countFor(EMAIL)
    assert.ok(known > 0)
    assert.equal(await countFor('nobody@mail.example'), known, `${request} request`)
    await api.passCooldown()
  }
})

test('refuses anything but one email, and mails nobody', async (t) => {
  const api = await apiWithAccount(t)
  await api.deliver()
  const payloads = [`${EMAIL},eve@evil.example`, [EMAIL, 'eve@evil.example'], { $ne: null }, 1, null]
  for (const payload of payloads) {
    const refused = await api.forgot(payload as string)
    assert.deepEqual(refusalOf(refused), [400, 'invalid_input'], JSON.stringify(payload))
    assert.deepEqual(Object.keys(refused.body.fields ?? {}), ['email'], JSON.stringify(payload))
  }
  const queued = await api.db.selectFrom('jobs').select('payload').where('done_at', 'is', null).execute()
  assert.deepEqual(queued, [])
})

test('uses no request header in an email', async (t) => {
  const api = await apiWithAccount(t)
  await api.passCooldown()
  const plain = await mailAfter({})
  const forged = await mailAfter({
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'gopher',
    'x-original-host': 'evil.example',
    forwarded: 'host=evil.example',
    referer: 'https://evil.example/',
    'user-agent': 'evil.example',
  })
  assert.equal(forged, plain)
  assert.ok(!forged.includes('evil'))

  async function mailAfter(headers: Record<string, string>): Promise<string> {
    const { status } = await api.call(forgotPassword, { body: { email: EMAIL }, headers })
    assert.equal(status, 200)
    const { subject, text, html } = await api.newestMailTo(EMAIL)
    await api.passCooldown()
    return [subject, text, html].join('\n').replaceAll(/(?<![\d#])\d{6}(?!\d)/g, 'CODE')
  }
})
