import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { PASSWORD } from '#server/testing/api.ts'
import { accountApi, EMAIL } from '#server/testing/account-api.ts'
import { comparable } from '#server/testing/checks/comparable.ts'
import { refusalOf } from '#server/testing/checks/refusals.ts'
import { countStatements } from '#server/testing/database/database.ts'
import { ROUNDS } from '#server/testing/database/races.ts'
import { digestOf } from '../codes/one-time-codes.ts'
import { purgeExpired } from './purge.ts'
import { register } from './register.ts'

const MESSAGE = 'Registration successful! Please verify your email.'

test('saves a registration and mails its code, without creating an account', async (t) => {
  const api = await accountApi(t)
  const { status, body } = await api.register()
  assert.deepEqual([status, body], [201, { message: MESSAGE }])
  assert.deepEqual(await api.pendingNames(), ['alice'])
  assert.deepEqual(await api.db.selectFrom('users').selectAll().execute(), [])
  const mails = await api.mailsTo(EMAIL)
  assert.equal(mails.length, 1)
  assert.match(mails[0]?.text ?? '', /“alice”/)
})

test('refuses a taken username and an unknown referral code in the same way whether or not the email is known', async (t) => {
  const api = await accountApi(t)
  await api.createAccount('owner', 'verified@mail.example')
  await api.register({ username: 'pending', email: 'pending@mail.example' })
  for (const [changes, code] of [
    [{ username: 'pending' }, 'username_taken'],
    [{ username: 'owner' }, 'username_taken'],
    [{ username: 'last', referralCode: 'NOSUCHCODE' }, 'unknown_referral_code'],
  ] as const) {
    const refused = [
      await api.register({ ...changes, email: 'unknown@mail.example' }),
      await api.register({ ...changes, email: 'verified@mail.example' }),
    ]
    assert.equal(refused[0]?.body.code, code)
    assert.equal(new Set(refused.map(comparable)).size, 1)
  }
})

test('costs one hashing and the same number of statements, whether or not the email is known', async (t) => {
  const api = await accountApi(t)
  await api.createAccount('owner', 'verified@mail.example')
  const { mock: hash } = t.mock.method(api.deps.hasher, 'hash')
  const { db, countOf } = countStatements(api.db)
  const countFor = async (username: string, email: string) => {
    // Each in another browser.
    const client = { browser: username, cookie: undefined, network: '192.0.2.1', locale: 'en' } as const
    hash.resetCalls()
    const statements = await countOf(() =>
      register({ ...api.deps, db }, { username, email, password: PASSWORD }, client),
    )
    assert.equal(hash.callCount(), 1, username)
    return statements
  }
  const known = await countFor('one', 'verified@mail.example')
  assert.ok(known > 0)
  assert.equal(await countFor('two', 'new@mail.example'), known)
  // By now, the email has a pending registration, which takes other statements, but no second hashing.
  await countFor('three', 'new@mail.example')
})

/** An account, and a decoy: someone else’s registration of its email. */
async function setUpDecoy(t: TestContext) {
  const api = await accountApi(t)
  const owner = await api.createAccount('owner', 'Owner@mail.example')
  const decoy = { username: 'thief', email: 'owner@MAIL.example', password: 'the passphrase of a thief' }
  assert.equal((await api.register(decoy)).status, 201)
  const outcomesOf = async (...passwords: string[]) => {
    const outcomes = []
    for (const password of passwords) outcomes.push(await api.loginOutcome(password, owner.email))
    return outcomes
  }
  return { api, owner, decoy, outcomesOf }
}

test('a decoy mails the owner a notice instead of a code, and is never activated, not even with a matching code', async (t) => {
  const { api, owner, decoy, outcomesOf } = await setUpDecoy(t)
  await api.deliver()
  await api.passCooldown()
  assert.equal((await api.resend(owner.email)).status, 200)
  const notices = await api.mailsTo(owner.email)
  assert.equal(notices.length, 2, 'for the registration and for the resend')
  for (const { subject, text } of notices) {
    assert.match(subject, /^You already have an account/)
    assert.ok(text.includes('“owner”') && !text.includes('thief'))
    assert.doesNotMatch(text, /(?<!\d)\d{6}(?!\d)/)
  }

  const passwords = [decoy.password, PASSWORD, 'the passphrase of nobody']
  assert.deepEqual(await outcomesOf(...passwords), ['email_unverified', 'logged_in', 'credentials_invalid'])
  const digest = digestOf(api.deps.keys, 'verify-email', 'owner@mail.example', '123456')
  await api.pool.query(`update codes set digest = $1`, [digest])
  assert.equal((await api.verify('123456', owner.email)).body.code, 'code_invalid')
  assert.deepEqual(await api.db.selectFrom('users').select('username').execute(), [{ username: 'owner' }])

  await api.advance('1 day')
  assert.deepEqual(await outcomesOf(decoy.password), ['credentials_invalid'])
  await purgeExpired(api.db)
  assert.deepEqual(await api.pendingNames(), [])
})

test('each login hashes once to compare with both account and decoy, even after a password reset', async (t) => {
  const { api, owner, decoy, outcomesOf } = await setUpDecoy(t)
  const token = await api.createResetToken(owner.email)
  assert.equal((await api.reset(token, 'a new passphrase', owner.email)).status, 200)
  const { mock } = t.mock.method(api.deps.hasher, 'matches')
  const passwords = [decoy.password, 'a new passphrase', PASSWORD]
  assert.deepEqual(await outcomesOf(...passwords), ['email_unverified', 'logged_in', 'credentials_invalid'])
  assert.equal(mock.callCount(), passwords.length)
})

test('registering the email of an account grants no further attempts to log in to it', async (t) => {
  const { decoy, outcomesOf } = await setUpDecoy(t)
  const twoTries = ['a wrong password', decoy.password]
  const refusals = ['credentials_invalid', 'email_unverified']
  // The tenth failure locks the account. Logins to the decoy neither count nor reset the count.
  for (let failures = 1; failures < 10; failures += 1)
    assert.deepEqual(await outcomesOf(...twoTries), refusals, `failure ${failures}`)
  assert.deepEqual(await outcomesOf('a wrong password'), ['credentials_invalid'])
  assert.deepEqual(await outcomesOf(...twoTries), ['rate_limited', 'rate_limited'])
})

test('a registration reserves a username and its look-alikes for a day, an account for good', async (t) => {
  const api = await accountApi(t)
  await api.createAccount('Owner', 'owner@mail.example')
  await api.register({ username: 'Held' })
  const other = 'other@mail.example'
  for (const username of ['owner', 'OWNER', 'held', 'HELD', '.Owner_', '0vvner', 'he1d', 'he-Id']) {
    const refused = await api.register({ username, email: other })
    assert.deepEqual(refusalOf(refused), [409, 'username_taken'])
    assert.deepEqual(refused.body.fields, { username: 'This username is taken. Please choose another.' })
  }
  assert.deepEqual(await api.mailsTo(other), [])
  await api.advance('23 hours 59 minutes')
  assert.equal((await api.register({ username: 'held', email: other })).body.code, 'username_taken')
  await api.advance('2 minutes')
  assert.equal((await api.register({ username: 'held', email: other })).status, 201)
  await api.advance('10 days')
  assert.equal((await api.register({ username: 'owner', email: other })).body.code, 'username_taken')
})

test('gives a username to one of three parallel registrations', async (t) => {
  const api = await accountApi(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const answers = await Promise.all(
      [1, 2, 3].map((index) =>
        api.register({ username: `name${round}`, email: `a${index}@r${round}.example` }),
      ),
    )
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [201, 409, 409])
  }
})

test('a referral code must exist, in upper or lower case, unless it is empty', async (t) => {
  const api = await accountApi(t)
  const { id, referralCode } = await api.createAccount('owner', 'owner@mail.example')
  const unknown = await api.register({ referralCode: 'NOSUCHCODE' })
  const reason = 'This referral code doesn’t exist. Check it or leave the field empty.'
  assert.deepEqual(refusalOf(unknown), [400, 'unknown_referral_code'])
  assert.deepEqual(unknown.body.fields, { referralCode: reason })
  assert.deepEqual(await api.pendingNames(), [])
  assert.equal((await api.register({ referralCode: `  ${referralCode.toLowerCase()} ` })).status, 201)
  const registrations = await api.db.selectFrom('registrations').select('referred_by').execute()
  assert.deepEqual(registrations, [{ referred_by: id }])
  for (const [index, empty] of ['', '   '].entries()) {
    const registration = { username: `name${index}`, email: `${index}@b.example`, referralCode: empty }
    assert.equal((await api.register(registration)).status, 201)
  }
})

const PASSWORDS: [password: string, status: number, reason: string | undefined][] = [
  ['zQ7!mPx', 400, 'Use at least 8 characters.'],
  ['zQ7!mPx9', 201, undefined],
  ['🦊🐢🦉🐙🦋🐝🐞', 400, 'Use at least 8 characters.'],
  ['🦊🐢🦉🐙🦋🐝🐞🦀', 201, undefined],
  ['zQ'.repeat(64), 201, undefined],
  ['🦊'.repeat(128), 201, undefined],
  [`${'zQ'.repeat(64)}x`, 400, 'Use at most 128 characters.'],
  ['with a \u0000 in it', 201, undefined],
  ['alice1234', 400, 'This password is too easy to guess. Please choose another.'],
]
test('requires passwords of 8 to 128 code points, a letter in usernames, and a boolean as consent to announcements', async (t) => {
  const api = await accountApi(t)
  for (const [index, [password, status, reason]] of PASSWORDS.entries()) {
    const email = `al${index}@mail.example`
    // `alice` makes the last password easy to guess.
    const username = status === 201 ? `alice.${index}` : 'alice'
    const answer = await api.register({ username, email, password })
    assert.deepEqual([answer.status, answer.body.fields?.['password']], [status, reason], password)
    if (status === 201) assert.equal(await api.loginOutcome(password, email), 'email_unverified')
    else assert.deepEqual(await api.mailsTo(email), [])
  }
  for (const username of ['...', '___', '123', '-1-']) {
    const { status, body } = await api.register({ username })
    assert.deepEqual([status, body.fields], [400, { username: 'Use at least one letter.' }], username)
  }
  for (const announcements of ['yes', 1, null]) {
    const { status, body } = await api.register({ announcements })
    assert.deepEqual([status, Object.keys(body.fields ?? {})], [400, ['announcements']])
  }
})
