import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgotPassword, profile, resetPassword } from '#contract/accounts/accounts.ts'
import { hashToken } from '#server/platform/secrets.ts'
import { accountApi, apiWithAccount, EMAIL } from '#server/testing/account-api.ts'
import { NEW_PASSWORD, PASSWORD } from '#server/testing/api.ts'
import { comparable } from '#server/testing/checks/comparable.ts'
import { refusalOf } from '#server/testing/checks/refusals.ts'
import { createAdmin } from '#server/testing/builders/create-users.ts'
import { countStatements } from '#server/testing/database/database.ts'
import { ROUNDS } from '#server/testing/database/races.ts'
import { sendResetCode } from './reset-password.ts'

test('a banned account gets the replies for unknown emails, and a reset does not lift the ban', async (t) => {
  const api = await apiWithAccount(t)
  await api.pool.query('update users set banned_at = now()')
  for (const request of [api.forgot, (email: string) => api.resend(email, 'reset-password'), api.resend]) {
    await api.passCooldown()
    const [banned, unknown] = [await request(EMAIL), await request('nobody@mail.example')]
    assert.equal(banned.status, 200)
    assert.equal(comparable(banned), comparable(unknown))
  }
  await api.passCooldown()
  assert.equal((await api.reset(await api.exchangedToken())).status, 200)
  assert.equal(await api.loginOutcome(NEW_PASSWORD), 'account_banned')
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

test('runs the same number of statements for an unknown email as for an account’s', async (t) => {
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
  const payloads = [`${EMAIL},eve@evil.example`, [EMAIL, 'eve@evil.example'], { $ne: null }, 1, null]
  for (const payload of payloads) {
    const refused = await api.forgot(payload as string)
    assert.deepEqual(refusalOf(refused), [400, 'invalid_input'], JSON.stringify(payload))
    assert.deepEqual(Object.keys(refused.body.fields ?? {}), ['email'], JSON.stringify(payload))
  }
  assert.deepEqual(await api.db.selectFrom('jobs').select('payload').execute(), [])
})

test('uses no request header in an email', async (t) => {
  const api = await apiWithAccount(t)
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
    // Not after #: that is a color.
    return [subject, text, html].join('\n').replaceAll(/(?<![\d#])\d{6}(?!\d)/g, 'CODE')
  }
})

const INVALID = [400, 'reset_token_invalid']

test('exchanges a code for a token, which sets the password, ends every session and mails the owner', async (t) => {
  const api = await apiWithAccount(t)
  const sessions = [await api.logIn(EMAIL, PASSWORD), await api.logIn(EMAIL, PASSWORD)]
  await api.forgot()
  const exchanged = await api.exchange(await api.codeFor(EMAIL))
  const token = exchanged.body['resetPasswordToken'] as string
  assert.deepEqual(exchanged.body, { message: 'OTP verified successfully', resetPasswordToken: token })
  assert.match(token, /^[A-Za-z0-9_-]{43}$/)
  const hashes = await api.db.selectFrom('reset_tokens').select('token_hash').execute()
  assert.deepEqual(hashes, [{ token_hash: hashToken(token) }], 'only a hash is stored')

  const { status, body } = await api.reset(token, NEW_PASSWORD, EMAIL.toUpperCase())
  assert.deepEqual([status, body], [200, { message: 'Password reset successfully!' }])
  for (const session of sessions)
    assert.equal((await api.call(profile, { token: session.token })).status, 401)
  assert.deepEqual(await api.db.selectFrom('sessions').selectAll().execute(), [])
  assert.equal(await api.loginOutcome(PASSWORD), 'credentials_invalid')
  assert.equal(await api.loginOutcome(NEW_PASSWORD), 'logged_in')
  const notice = await api.newestMailTo(EMAIL)
  assert.match(notice.subject, /password .* was changed/)
  assert.ok(notice.text.includes('“alice”'))
})

test('accepts a token once when used four times in parallel on two nodes', async (t) => {
  const api = await apiWithAccount(t)
  const other = await api.anotherNode()
  for (let round = 1; round <= ROUNDS; round += 1) {
    const token = await api.createResetToken()
    const answers = await Promise.all(
      [api, other, api, other].map(({ call }, index) => {
        const newPassword = `${NEW_PASSWORD} ${round} ${index}`
        return call(resetPassword, { body: { email: EMAIL, newPassword, resetPasswordToken: token } })
      }),
    )
    const winners = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []))
    assert.equal(winners.length, 1, `round ${round}`)
    assert.ok(answers.every((answer) => answer.status === 200 || answer.body.code === 'reset_token_invalid'))
    assert.equal(await api.loginOutcome(`${NEW_PASSWORD} ${round} ${winners[0]}`), 'logged_in')
  }
})

test('rejects a token after ten minutes by the database’s clock', async (t) => {
  const api = await apiWithAccount(t)
  const ageTokens = (age: string) =>
    api.pool.query('update reset_tokens set expires_at = expires_at - $1::interval', [age])
  const late = await api.exchangedToken()
  await ageTokens('10 minutes 10 seconds')
  assert.deepEqual(refusalOf(await api.reset(late)), INVALID)
  await api.passCooldown()
  const early = await api.exchangedToken()
  await ageTokens('9 minutes 30 seconds')
  assert.equal((await api.reset(early)).status, 200)
})

test('a newer token voids older ones, and a reset voids all tokens and codes', async (t) => {
  const api = await apiWithAccount(t)
  const older = await api.exchangedToken()
  await api.passCooldown()
  const newer = await api.exchangedToken()
  await api.passCooldown()
  await api.forgot()
  const later = await api.codeFor(EMAIL)
  assert.deepEqual(refusalOf(await api.reset(older)), INVALID)
  assert.equal((await api.reset(newer)).status, 200)
  assert.deepEqual(await api.db.selectFrom('reset_tokens').selectAll().execute(), [])
  assert.equal((await api.exchange(later)).body.code, 'code_invalid')
})

test('rejects unknown and malformed tokens, and voids one sent with an email other than its account’s', async (t) => {
  const api = await apiWithAccount(t)
  await api.createAccount('bob', 'bob@mail.example')
  for (const email of ['bob@mail.example', 'nobody@mail.example']) {
    const token = await api.createResetToken()
    assert.deepEqual(refusalOf(await api.reset(token, NEW_PASSWORD, email)), INVALID)
    assert.deepEqual(refusalOf(await api.reset(token)), INVALID)
  }
  assert.equal(await api.loginOutcome(PASSWORD), 'logged_in')
  assert.equal(await api.loginOutcome(PASSWORD, 'bob@mail.example'), 'logged_in')

  const unknown = await api.reset('A'.repeat(43))
  assert.deepEqual(refusalOf(unknown), INVALID)
  assert.equal(unknown.body.message, 'This password reset is no longer valid. Please request a new one.')
  const strings = ['', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`]
  for (const malformed of [...strings, 1, null, ['A'.repeat(43)], { $gt: '' }]) {
    const { status, body } = await api.reset(malformed as string)
    assert.equal(status, 400, JSON.stringify(malformed))
    assert.deepEqual(Object.keys(body.fields ?? {}), ['resetPasswordToken'], JSON.stringify(malformed))
  }
})

test('a refused password, such as one of fourteen characters for an administrator, leaves the token valid', async (t) => {
  const api = await apiWithAccount(t)
  const { email } = await createAdmin(api)
  const [token, adminToken] = [await api.createResetToken(), await api.createResetToken(email)]
  const resetAdmin = (password: string) => api.reset(adminToken, password, email)
  for (const [{ status, body }, reason] of [
    [await api.reset(token, 'zQ7!mPx'), 'Use at least 8 characters.'],
    [await api.reset(token, 'alice12345'), 'This password is too easy to guess. Please choose another.'],
    [await resetAdmin('fourteen chars'), 'Administrators need at least 15 characters.'],
  ] as const)
    assert.deepEqual([status, body.fields], [400, { newPassword: reason }])
  assert.equal(await api.loginOutcome(PASSWORD), 'logged_in')
  assert.equal((await api.reset(token)).status, 200)
  assert.equal((await resetAdmin('fifteen chars !')).status, 200)
  assert.equal((await api.logIn(email, 'fifteen chars !')).user.role, 'admin')
})
