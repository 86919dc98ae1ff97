import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSWORD } from '#server/testing/api.ts'
import { accountApi, EMAIL } from '#server/testing/account-api.ts'
import { comparable } from '#server/testing/checks/comparable.ts'
import { ROUNDS } from '#server/testing/races.ts'
import { digestOf } from '../codes/one-time-codes.ts'
import { purgeAccounts } from './purge.ts'

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

test('replies identically to a new, a pending and a verified email, even when it refuses a taken username or an unknown referral code', async (t) => {
  const api = await accountApi(t)
  await api.participant({ username: 'owner', email: 'verified@mail.example' })
  await api.register({ username: 'pending', email: 'pending@mail.example' })
  await api.advance('61 seconds')
  const answers = [
    await api.register({ username: 'new', email: 'new@mail.example' }),
    await api.register({ username: 'again', email: 'pending@mail.example' }),
    await api.register({ username: 'other', email: 'VERIFIED@mail.example' }),
    await api.register({ username: 'inside', email: 'new@mail.example' }),
    await api.register({ username: 'inside2', email: 'verified@mail.example' }),
  ]
  assert.equal(answers[0]?.status, 201)
  assert.equal(new Set(answers.map(comparable)).size, 1)
  for (const [given, status] of [
    [{ username: 'pending' }, 409],
    [{ username: 'owner' }, 409],
    [{ username: 'last', referralCode: 'NOSUCHCODE' }, 400],
  ] as const) {
    const refused = [
      await api.register({ ...given, email: 'unknown@mail.example' }),
      await api.register({ ...given, email: 'verified@mail.example' }),
    ]
    assert.equal(refused[0]?.status, status)
    assert.equal(new Set(refused.map(comparable)).size, 1)
  }
})

test('costs exactly one hashing, whether or not the email is known', async (t) => {
  const api = await accountApi(t)
  await api.participant({ email: 'verified@mail.example' })
  const { hash } = api.deps.hasher
  let hashings = 0
  api.deps.hasher.hash = (...given) => {
    hashings += 1
    return hash(...given)
  }
  for (const [index, email] of ['new@mail.example', 'new@mail.example', 'verified@mail.example'].entries()) {
    hashings = 0
    await api.register({ username: `name${index}`, email })
    assert.equal(hashings, 1, email)
  }
})

test('mails the owner of an existing account instead of a code; never activates the decoy, which expires after a day', async (t) => {
  const api = await accountApi(t)
  const owner = await api.participant({ username: 'owner', email: 'Owner@mail.example' })
  await api.advance('61 seconds')
  const decoy = { username: 'thief', email: 'owner@MAIL.example', password: 'the passphrase of a thief' }
  assert.equal((await api.register(decoy)).status, 201)
  await api.deliver()
  await api.advance('61 seconds')
  assert.equal((await api.resend(owner.email)).status, 200)
  const mails = await api.mailsTo(owner.email)
  assert.equal(mails.length, 3)
  for (const { subject, text } of mails.slice(1)) {
    assert.match(subject, /^You already have an account/)
    assert.ok(text.includes('“owner”') && !text.includes('thief'))
    assert.doesNotMatch(text, /(?<!\d)\d{6}(?!\d)/)
  }
  const statuses = []
  for (const password of [decoy.password, PASSWORD, 'the passphrase of nobody'])
    statuses.push(await api.loginStatus(password, owner.email))
  assert.deepEqual(statuses, [403, 200, 401])
  // Not even a matching code activates it.
  const digest = digestOf(api.deps.keys, 'verify-email', 'owner@mail.example', '123456')
  await api.pool.query(`update codes set digest = $1`, [digest])
  assert.equal((await api.verify('123456', owner.email)).status, 400)
  assert.deepEqual(await api.db.selectFrom('users').select('username').execute(), [{ username: 'owner' }])
  await api.advance('1 day')
  assert.equal(await api.loginStatus(decoy.password, owner.email), 401)
  await purgeAccounts(api.db)
  assert.deepEqual(await api.pendingNames(), [])
})

test('keeps decoys comparable with one hashing after a password change', async (t) => {
  const api = await accountApi(t)
  const owner = await api.participant({ username: 'owner' })
  await api.advance('61 seconds')
  const decoy = { username: 'thief', email: owner.email, password: 'the passphrase of a thief' }
  await api.register(decoy)
  await api.advance('61 seconds')
  const token = await api.tokenFor(owner.email)
  assert.equal((await api.reset(token, 'a new passphrase', owner.email)).status, 200)
  const { matches } = api.deps.hasher
  let hashings = 0
  api.deps.hasher.matches = (...given) => {
    hashings += 1
    return matches(...given)
  }
  const tries = [decoy.password, 'a new passphrase', PASSWORD]
  const statuses = []
  for (const password of tries) statuses.push(await api.loginStatus(password, owner.email))
  assert.deepEqual([statuses, hashings], [[403, 200, 401], 3])
})

test('does not grant more login attempts at an account by registering its email', async (t) => {
  const api = await accountApi(t)
  const owner = await api.participant({ username: 'owner' })
  await api.register({ username: 'thief', email: owner.email, password: 'the passphrase of a thief' })
  const statuses = []
  for (let count = 0; count < 21; count += 1)
    statuses.push(
      await api.loginStatus(count % 2 ? 'the passphrase of a thief' : 'a wrong password', owner.email),
    )
  assert.deepEqual(statuses.slice(16), [401, 403, 401, 429, 429])
})

test('requires a letter in a username; reserves the name and its look-alikes, for a day for a registration, for good for a user', async (t) => {
  const api = await accountApi(t)
  for (const username of ['...', '___', '123', '-1-']) {
    const { status, body } = await api.register({ username })
    assert.deepEqual([status, body.fields], [400, { username: 'Use at least one letter.' }], username)
  }
  await api.participant({ username: 'Owner' })
  await api.register({ username: 'Held' })
  const other = 'other@mail.example'
  const message = 'This username is taken. Please choose another.'
  for (const username of ['owner', 'OWNER', 'held', 'HELD', '.Owner_', '0vvner', 'he1d', 'he-Id']) {
    const { status, body } = await api.register({ username, email: other })
    assert.deepEqual([status, body.code, body.message], [409, 'username_taken', message])
    assert.deepEqual(body.fields, { username: message })
  }
  assert.deepEqual(await api.mailsTo(other), [])
  await api.advance('23 hours 59 minutes')
  assert.equal((await api.register({ username: 'held', email: other })).status, 409)
  await api.advance('2 minutes')
  assert.equal((await api.register({ username: 'held', email: other })).status, 201)
  await api.advance('10 days')
  assert.equal((await api.register({ username: 'owner', email: other })).status, 409)
})

test('gives a username to one of several parallel registrations', async (t) => {
  const api = await accountApi(t)
  for (let round = 0; round < ROUNDS; round += 1) {
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((index) =>
        api.register({ username: `name${round}`, email: `a${index}@r${round}.example` }),
      ),
    )
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    assert.deepEqual([count(201), count(409)], [1, 4])
  }
})

test('requires an existing referral code, ignoring case and spaces; an empty one counts as none', async (t) => {
  const api = await accountApi(t)
  const { user } = await api.participant()
  const unknown = await api.register({ referralCode: 'NOSUCHCODE' })
  const why = 'This referral code doesn’t exist. Check it or leave the field empty.'
  assert.deepEqual(
    [unknown.status, unknown.body.code, unknown.body.fields],
    [400, 'unknown_referral_code', { referralCode: why }],
  )
  assert.deepEqual(await api.pendingNames(), [])
  assert.equal((await api.register({ referralCode: `  ${user.referralCode.toLowerCase()} ` })).status, 201)
  const { referred_by } = await api.db
    .selectFrom('registrations')
    .select('referred_by')
    .executeTakeFirstOrThrow()
  assert.equal(referred_by, user._id)
  for (const [index, referralCode] of ['', '   '].entries())
    assert.equal(
      (await api.register({ username: `name${index}`, email: `${index}@b.example`, referralCode })).status,
      201,
    )
})

test('rejects a consent to announcements that is not a boolean, naming the field', async (t) => {
  const api = await accountApi(t)
  for (const announcements of ['yes', 1, null]) {
    const { status, body } = await api.register({ announcements })
    assert.deepEqual([status, Object.keys(body.fields ?? {})], [400, ['announcements']])
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
test('accepts passwords of 8 to 128 code points, but not the username with digits', async (t) => {
  const api = await accountApi(t)
  for (const [index, [password, status, reason]] of PASSWORDS.entries()) {
    const email = `al${index}@mail.example`
    const username = status === 201 ? `alice.${index}` : 'alice'
    const answer = await api.register({ username, email, password })
    assert.deepEqual([answer.status, answer.body.fields?.['password']], [status, reason], password)
    if (status === 201) assert.equal(await api.loginStatus(password, email), 403, 'correct but unverified')
    else assert.deepEqual(await api.mailsTo(email), [])
  }
})
