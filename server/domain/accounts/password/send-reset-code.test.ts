import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgotPassword } from '#contract/accounts/accounts.ts'
import { accountApi, EMAIL } from '#server/testing/account-api.ts'
import { comparable } from '#server/testing/checks/comparable.ts'

test('replies identically to a verified, suspended, pending and unknown email', async (t) => {
  const api = await accountApi(t)
  await api.createAccount()
  await api.createAccount('banned', 'banned@mail.example')
  await api.pool.query(`update users set banned_at = now() where username = 'banned'`)
  await api.register({ username: 'pending', email: 'pending@mail.example' })
  const emails = [EMAIL, 'banned@mail.example', 'pending@mail.example', 'nobody@mail.example']
  for (const ask of [api.forgot, (email: string) => api.resend(email, 'reset-password')]) {
    const answers = []
    for (const email of emails) answers.push(await ask(email))
    assert.equal(answers[0]?.status, 200)
    assert.equal(new Set(answers.map(comparable)).size, 1)
    const again = []
    for (const email of emails) again.push(await ask(email))
    assert.equal(again[0]?.status, 429)
    assert.equal(new Set(again.map(comparable)).size, 1)
    await api.advance('61 seconds')
  }
})

test('replies with the texts of the specification', async (t) => {
  const api = await accountApi(t)
  const message = 'Password reset code sent! Check your email to continue.'
  assert.deepEqual((await api.forgot()).body, { message })
  await api.advance('61 seconds')
  assert.deepEqual((await api.resend(EMAIL, 'reset-password')).body, { message: 'OTP resent successfully!' })
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

const PAYLOADS = [
  'al@mail.example,eve@evil.example',
  'al@mail.example eve@evil.example',
  'al@mail.example\r\nBcc: eve@evil.example',
  'al@mail.example%0d%0aBcc:eve@evil.example',
  '"al@mail.example" <eve@evil.example>',
  'al@mail.example<eve@evil.example>',
  '"al@evil.example"@mail.example',
  'al@evil.example@mail.example',
  'al@mail.example\u0000',
]
test('mails at most the owner, whatever is sent as email', async (t) => {
  const api = await accountApi(t)
  await api.createAccount()
  await api.deliver()
  for (const payload of [...PAYLOADS, ['al@mail.example', 'eve@evil.example'], { $ne: null }, 1, null]) {
    const { status, body } = await api.forgot(payload as string)
    assert.equal(status, 400, JSON.stringify(payload))
    assert.equal(body.code, 'invalid_input', JSON.stringify(payload))
    assert.deepEqual(Object.keys(body.fields ?? {}), ['email'], JSON.stringify(payload))
  }
  const queued = await api.db.selectFrom('jobs').select('payload').where('done_at', 'is', null).execute()
  assert.deepEqual(queued, [])
})

test('uses no request header in an email', async (t) => {
  const api = await accountApi(t)
  await api.createAccount()
  await api.advance('61 seconds')
  const plainly = await mailAfter({})
  const forged = await mailAfter({
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'gopher',
    'x-original-host': 'evil.example',
    forwarded: 'host=evil.example',
    referer: 'https://evil.example/',
    'user-agent': 'evil.example',
  })
  assert.equal(forged, plainly)
  assert.ok(!forged.includes('evil'))

  async function mailAfter(headers: Record<string, string>): Promise<string> {
    const { status } = await api.call(forgotPassword, { body: { email: EMAIL }, headers })
    assert.equal(status, 200)
    const mail = (await api.mailsTo(EMAIL)).at(-1)
    await api.advance('61 seconds')
    return [mail?.subject, mail?.text, mail?.html].join('\n').replaceAll(/(?<![\d#])\d{6}(?!\d)/g, 'CODE')
  }
})
