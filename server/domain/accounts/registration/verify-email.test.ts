import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leaderboard } from '#contract/leaderboard.ts'
import { accountApi, EMAIL, wrongCode } from '#server/testing/account-api.ts'
import { PASSWORD } from '#server/testing/api.ts'
import { newReferralCode } from './verify-email.ts'

test('an account can log in and is on the leaderboard once its email is verified, and not before', async (t) => {
  const api = await accountApi(t)
  const registration = { username: 'Al.Ice', email: 'Al@Mail.example' }
  assert.equal((await api.register({ ...registration, role: 'admin' })).status, 400, 'nobody chooses a role')
  await api.register(registration)
  assert.equal(await api.loginOutcome(PASSWORD), 'email_unverified')
  assert.deepEqual((await api.call(leaderboard)).body.data, [])
  const { status, body } = await api.verify(await api.codeFor('al@mail.example'), 'aL@mail.example')
  assert.deepEqual([status, body], [200, { message: 'Email verified successfully!' }])
  const { user } = await api.logIn(EMAIL, PASSWORD)
  const account = { username: 'Al.Ice', email: 'Al@mail.example', role: 'user' as const }
  assert.partialDeepStrictEqual(user, { ...account, totalPoints: 0, referralCount: 0 })
  assert.match(user.referralCode, /^[0-9A-HJKMNP-TV-Z]{10}$/)
  const board = await api.call(leaderboard)
  const listed = (board.body.data as { username: string }[]).map(({ username }) => username)
  assert.deepEqual(listed, ['Al.Ice'])
})

/** The consents of successive registrations of one email; the last registration is verified. */
const CONSENTS: [consents: (boolean | undefined)[], isKept: boolean][] = [
  [[true], true],
  [[undefined], false],
  [[false], false],
  [[true, false], false],
  [[false, true], true],
]
test('keeps the consent to announcements that was given with the verified registration', async (t) => {
  const api = await accountApi(t)
  for (const [row, [consents, isKept]] of CONSENTS.entries()) {
    const email = `pip${row}@mail.example`
    for (const [index, announcements] of consents.entries()) {
      await api.passCooldown()
      assert.equal((await api.register({ username: `pip${row}-${index}`, email, announcements })).status, 201)
    }
    assert.equal((await api.verify(await api.codeFor(email), email)).status, 200)
    const users = api.db.selectFrom('users').select('announcements_at').where('email_key', '=', email)
    const { announcements_at } = await users.executeTakeFirstOrThrow()
    assert.equal(announcements_at !== null, isKept, consents.join())
    if (announcements_at) assert.ok(Math.abs(Date.now() - announcements_at.getTime()) < 60_000)
  }
})

test('counts a guess once against each registration of the email, but not against later registrations', async (t) => {
  const api = await accountApi(t)
  const codes: string[] = []
  const registerAs = async (username: string) => {
    await api.register({ username })
    codes.push(await api.codeFor(EMAIL))
    await api.passCooldown()
  }
  for (const username of ['one', 'two']) await registerAs(username)
  // Seven, because two of them may by chance be right.
  const sevenCodes = Array.from({ length: 7 }, (_, guess) => wrongCode('000000', guess))
  const wrongCodes = sevenCodes.filter((code) => !codes.includes(code))
  for (const code of wrongCodes.slice(0, 5)) assert.equal((await api.verify(code)).body.code, 'code_invalid')
  const { rows } = await api.pool.query('select attempts from codes')
  assert.deepEqual(rows, [{ attempts: 5 }, { attempts: 5 }])
  for (const code of codes) assert.equal((await api.verify(code)).body.code, 'code_exhausted')

  await registerAs('three')
  const newest = codes.pop() ?? assert.fail()
  // The newest code may by chance equal an old one.
  for (const used of codes)
    if (used !== newest) assert.equal((await api.verify(used)).body.code, 'code_invalid')
  assert.equal((await api.verify(newest)).status, 200)
})

test('rejects a valid code if its registration is a day old or another user has taken its username', async (t) => {
  const api = await accountApi(t)
  await api.register()
  await api.advance('23 hours 55 minutes')
  assert.equal((await api.resend()).status, 200)
  const expiring = await api.codeFor(EMAIL)
  await api.advance('6 minutes')
  assert.equal((await api.verify(expiring)).body.code, 'code_invalid')
  assert.deepEqual(await api.db.selectFrom('users').selectAll().execute(), [])

  await api.register()
  const code = await api.codeFor(EMAIL)
  await api.pool.query(`update usernames set held_until = now() - interval '1 second'`)
  const other = 'other@mail.example'
  await api.register({ username: 'ALICE', email: other })
  await api.verify(await api.codeFor(other), other)
  assert.equal((await api.verify(code)).body.code, 'code_invalid')
  const users = await api.db.selectFrom('users').select('email').execute()
  assert.deepEqual(users, [{ email: other }])
})

test('deletes all registrations, held usernames and queued emails of the verified email, and closes its codes', async (t) => {
  const api = await accountApi(t)
  await api.register({ username: 'one' })
  await api.passCooldown()
  await api.register({ username: 'two' })
  const code = await api.codeFor(EMAIL)
  await api.register({ username: 'three' })
  assert.equal((await api.scheduledMails()).length, 1)
  await api.verify(code)
  assert.deepEqual(await api.scheduledMails(), [])
  assert.deepEqual(await api.pendingNames(), [])
  const usernames = await api.db.selectFrom('usernames').select('key').execute()
  assert.deepEqual(usernames, [{ key: 'two' }], 'that of the account stays')
  const open = await api.db.selectFrom('codes').select('id').where('closed_at', 'is', null).execute()
  assert.deepEqual(open, [])
  assert.equal((await api.register({ username: 'one', email: 'other@mail.example' })).status, 201)
})

test('generates referral codes of fifty random bits without confusable letters', () => {
  const codes = Array.from({ length: 10_000 }, newReferralCode)
  assert.equal(new Set(codes).size, codes.length)
  assert.ok(codes.every((code) => /^[0-9A-HJKMNP-TV-Z]{10}$/.test(code)))
  for (let position = 0; position < 10; position += 1)
    assert.equal(new Set(codes.map((code) => code[position])).size, 32, `position ${position}`)
})
