import assert from 'node:assert/strict'
import { test } from 'node:test'
import { profile, resetPassword } from '#contract/accounts/accounts.ts'
import { accountApi, EMAIL } from '#server/testing/account-api.ts'
import { type Answer, PASSWORD } from '#server/testing/api.ts'
import { ROUNDS } from '#server/testing/races.ts'
import { hashToken } from '#server/platform/secrets.ts'

const NEW = 'another long passphrase'
const seen = ({ status, body }: Answer) => [status, body.code]
const INVALID = [400, 'reset_token_invalid']

test('sets the password for any spelling of the email, ends every session without starting one, and mails the owner; only a hash of the token is stored', async (t) => {
  const api = await accountApi(t)
  await api.createAccount()
  const tokens: string[] = []
  for (let count = 0; count < 3; count += 1) tokens.push((await api.logIn(EMAIL, PASSWORD)).token)
  await api.forgot()
  const exchanged = await api.exchange(await api.codeFor(EMAIL))
  const token = exchanged.body['resetPasswordToken'] as string
  assert.deepEqual(exchanged.body, { message: 'OTP verified successfully', resetPasswordToken: token })
  assert.match(token, /^[A-Za-z0-9_-]{43}$/)
  const rows = await api.db.selectFrom('reset_tokens').select('token_hash').execute()
  const hashes = rows.map(({ token_hash }) => token_hash.toString('hex'))
  assert.deepEqual(hashes, [hashToken(token).toString('hex')])
  const { status, body } = await api.reset(token, NEW, EMAIL.toUpperCase())
  assert.deepEqual([status, body], [200, { message: 'Password reset successfully!' }])
  for (const bearer of tokens) assert.equal((await api.call(profile, { token: bearer })).status, 401)
  assert.deepEqual(await api.db.selectFrom('sessions').selectAll().execute(), [])
  assert.deepEqual([await api.loginStatus(PASSWORD), await api.loginStatus(NEW)], [401, 200])
  const notice = (await api.mailsTo(EMAIL)).at(-1)
  assert.match(notice?.subject ?? '', /password .* was changed/)
  assert.ok(notice?.text.includes('“alice”'))
})

test('accepts a token once when used four times in parallel on two nodes', async (t) => {
  const api = await accountApi(t)
  const other = await api.anotherNode()
  await api.createAccount()
  for (let round = 0; round < ROUNDS; round += 1) {
    const token = await api.tokenFor()
    const answers = await Promise.all(
      [api, other, api, other].map(({ call }, index) => {
        const newPassword = `${NEW} ${round} ${index}`
        return call(resetPassword, { body: { email: EMAIL, newPassword, resetPasswordToken: token } })
      }),
    )
    const winners = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []))
    assert.equal(winners.length, 1, `round ${round}`)
    assert.ok(answers.every((answer) => answer.status === 200 || answer.body.code === 'reset_token_invalid'))
    assert.equal(await api.loginStatus(`${NEW} ${round} ${winners[0]}`), 200)
    await api.advance('2 days')
  }
})

test('rejects a token after ten minutes by the database’s clock', async (t) => {
  const api = await accountApi(t)
  await api.createAccount()
  const age = (by: string) =>
    api.pool.query(`update reset_tokens set expires_at = now() + interval '10 minutes' - $1::interval`, [by])
  const late = await api.tokenFor()
  await age('10 minutes 10 seconds')
  assert.deepEqual(seen(await api.reset(late)), INVALID)
  await api.advance('61 seconds')
  const early = await api.tokenFor()
  await age('9 minutes 30 seconds')
  assert.equal((await api.reset(early)).status, 200)
})

test('voids older tokens with a newer one, and all of them, and codes that were mailed before, with a reset', async (t) => {
  const api = await accountApi(t)
  await api.createAccount()
  const older = await api.tokenFor()
  await api.advance('61 seconds')
  const newer = await api.tokenFor()
  await api.advance('61 seconds')
  await api.forgot()
  const later = await api.codeFor(EMAIL)
  assert.deepEqual(seen(await api.reset(older)), INVALID)
  assert.equal((await api.reset(newer)).status, 200)
  assert.deepEqual(await api.db.selectFrom('reset_tokens').selectAll().execute(), [])
  assert.equal((await api.exchange(later)).status, 400)
})

test('rejects and voids a token sent with another account’s email', async (t) => {
  const api = await accountApi(t)
  await api.createAccount()
  await api.createAccount('bob', 'bob@mail.example')
  for (const email of ['bob@mail.example', 'nobody@mail.example']) {
    const token = await api.tokenFor()
    assert.deepEqual(seen(await api.reset(token, NEW, email)), INVALID)
    assert.deepEqual(seen(await api.reset(token)), INVALID)
    await api.advance('61 seconds')
  }
  assert.equal(await api.loginStatus(PASSWORD), 200)
  assert.equal(await api.loginStatus(PASSWORD, 'bob@mail.example'), 200)
  assert.deepEqual([await api.loginStatus(NEW), await api.loginStatus(NEW, 'bob@mail.example')], [401, 401])
})

test('rejects an unknown token, and a malformed one or an invalid password, naming the field, without consuming the right token', async (t) => {
  const api = await accountApi(t)
  await api.createAccount()
  const token = await api.tokenFor()
  const unknown = await api.reset('A'.repeat(43))
  assert.deepEqual(seen(unknown), INVALID)
  assert.equal(unknown.body.message, 'This password reset is no longer valid. Please request a new one.')
  const strings = ['', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`]
  for (const other of [...strings, 1, null, ['A'.repeat(43)], { $gt: '' }]) {
    const { status, body } = await api.reset(other as string)
    assert.equal(status, 400, JSON.stringify(other))
    assert.deepEqual(Object.keys(body.fields ?? {}), ['resetPasswordToken'], JSON.stringify(other))
  }
  for (const [password, reason] of [
    ['zQ7!mPx', 'Use at least 8 characters.'],
    ['alice12345', 'This password is too easy to guess. Please choose another.'],
  ] as const) {
    const { status, body } = await api.reset(token, password)
    assert.deepEqual([status, body.fields], [400, { newPassword: reason }], password)
  }
  assert.equal(await api.loginStatus(PASSWORD), 200)
  assert.equal((await api.reset(token)).status, 200)
})

test('requires fifteen characters of an administrator', async (t) => {
  const api = await accountApi(t)
  const { email } = await api.administrator()
  const token = await api.tokenFor(email)
  const short = await api.reset(token, 'fourteen chars', email)
  assert.equal(short.status, 400)
  assert.deepEqual(short.body.fields, { newPassword: 'Administrators need at least 15 characters.' })
  assert.equal((await api.reset(token, 'fifteen chars !', email)).status, 200)
  const { user } = await api.logIn(email, 'fifteen chars !')
  assert.equal(user.role, 'admin')
})

test('does not lift a ban', async (t) => {
  const api = await accountApi(t)
  await api.createAccount()
  await api.pool.query('update users set banned_at = now()')
  assert.equal((await api.reset(await api.tokenFor())).status, 200)
  assert.equal(await api.loginStatus(NEW), 403)
})
