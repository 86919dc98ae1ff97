import assert from 'node:assert/strict'
import { test } from 'node:test'
import { register } from '#contract/accounts/accounts.ts'
import { PASSWORD } from '#server/testing/api.ts'
import { accountApi, type AccountApi, EMAIL, cookieOf } from '#server/testing/account-api.ts'

async function codeForUsername(api: AccountApi, username: string): Promise<string> {
  const mail = (await api.mailsTo(EMAIL)).find(({ text }) => text.includes(`“${username}”`))
  return /(?<!\d)\d{6}(?!\d)/.exec(mail?.text ?? '')?.[0] ?? assert.fail(`no code for ${username}`)
}

for (const [verified, other] of [
  ['stranger', 'victim'],
  ['victim', 'stranger'],
] as const)
  test(`the code of the ${verified} activates their own registration, not the ${other}’s of the same email`, async (t) => {
    const api = await accountApi(t)
    const codes = { stranger: '', victim: '' }
    for (const username of ['stranger', 'victim'] as const) {
      await api.register({ username, password: `the passphrase of the ${username}` })
      codes[username] = await api.codeFor(EMAIL)
      assert.ok((await api.newestMailTo(EMAIL)).text.includes(`“${username}”`))
      await api.passCooldown()
    }
    assert.equal((await api.verify(codes[verified])).status, 200)
    assert.equal(await api.loginOutcome(`the passphrase of the ${other}`), 'credentials_invalid')
    assert.equal(await api.loginOutcome(`the passphrase of the ${verified}`), 'logged_in')
    assert.equal((await api.verify(codes[other])).body.code, 'code_invalid')
    const users = await api.db.selectFrom('users').select('username').execute()
    assert.deepEqual(users, [{ username: verified }])
  })

test('a browser’s registration within the cooldown replaces its last one, whose email is still queued', async (t) => {
  const api = await accountApi(t)
  const cookie = cookieOf(await api.register({ username: 'first' }))
  for (const username of ['second', 'third', 'fourth'])
    assert.equal((await api.register({ username }, cookie)).status, 201)
  const [scheduled, ...others] = await api.scheduledMails()
  assert.equal(scheduled?.username, 'fourth')
  assert.ok(scheduled.seconds > 30 && scheduled.seconds <= 60, String(scheduled.seconds))
  assert.deepEqual(others, [])
  assert.deepEqual(await api.pendingNames(), ['first', 'fourth'])

  const code = await api.codeFor(EMAIL)
  assert.equal((await api.verify(code)).body.code, 'code_invalid', 'a code is not valid before it is sent')
  await api.passCooldown()
  assert.deepEqual(await api.scheduledMails(), [])
  assert.equal((await api.verify(code)).status, 200)
})

test('a browser that corrects a mistyped email keeps its username, unless another has registered both', async (t) => {
  const api = await accountApi(t)
  const wrong = { username: 'alice', email: 'al@mial.example' }
  const mine = cookieOf(await api.register(wrong))
  const stranger = cookieOf(await api.register(wrong))
  for (const cookie of [mine, stranger, undefined])
    assert.equal((await api.register({}, cookie)).body.code, 'username_taken')

  // `b0b` looks like `bob`, so it counts as the same name.
  const [lone, right] = [{ username: 'bob', email: 'bob@mial.example' }, { username: 'b0b' }]
  const cookie = cookieOf(await api.register(lone))
  for (const other of [mine, `${cookie}x`, undefined])
    assert.equal((await api.register(right, other)).body.code, 'username_taken')
  assert.equal((await api.register(right, cookie)).status, 201)
  assert.equal((await api.verify(await api.codeFor(lone.email), lone.email)).body.code, 'code_invalid')
  assert.equal((await api.verify(await api.codeFor(EMAIL))).status, 200)
})

test('drops the fourth registration of an email while other browsers’ codes are queued', async (t) => {
  const api = await accountApi(t)
  const mine = cookieOf(await api.register({ username: 'mine1' }))
  await api.register({ username: 'mine2' }, mine)
  for (const username of ['theirs1', 'theirs2', 'theirs3'])
    assert.equal((await api.register({ username })).status, 201)
  assert.deepEqual(await api.pendingNames(), ['mine1', 'mine2', 'theirs1'])
  const names = (await api.scheduledMails()).map(({ username }) => username)
  assert.deepEqual(names, ['mine2', 'theirs1'])
  // A cookie for another email or a forged cookie does not make theirs the same browser.
  const foreign = cookieOf(await api.register({ username: 'foreign', email: 'other@mail.example' }))
  for (const cookie of [foreign, 'flow=invented.invented'])
    await api.register({ username: 'theirs4' }, cookie)
  await api.passCooldown()
  assert.equal((await api.verify(await codeForUsername(api, 'mine2'))).status, 200)
})

test('a registration without cookies replaces the queued one from its IPv4 address', async (t) => {
  const api = await accountApi(t)
  const body = { email: EMAIL, password: PASSWORD }
  const ip = '10.9.8.7'
  for (const username of ['one', 'two', 'three'])
    await api.call(register, { body: { ...body, username }, ip })
  assert.deepEqual(await api.pendingNames(), ['one', 'three'])
  await api.call(register, { body: { ...body, username: 'stranger' }, ip: '10.9.8.6' })
  assert.deepEqual(await api.pendingNames(), ['one', 'three', 'stranger'])
})

test('drops the fourth registration of an email while other browsers’ codes are valid', async (t) => {
  const api = await accountApi(t)
  await api.register({ username: 'victim', password: 'the passphrase of the victim' })
  const code = await api.codeFor(EMAIL)
  for (const username of ['one', 'two', 'three', 'four']) {
    await api.passCooldown()
    assert.equal((await api.register({ username })).status, 201)
  }
  assert.deepEqual(await api.pendingNames(), ['victim', 'one', 'two'])
  assert.equal((await api.verify(code)).status, 200)
  assert.equal(await api.loginOutcome('the passphrase of the victim'), 'logged_in')
})

test('the fourth registration of an email replaces the oldest of its own browser', async (t) => {
  const api = await accountApi(t)
  await api.register({ username: 'stranger' })
  await api.passCooldown()
  const cookie = cookieOf(await api.register({ username: 'first' }))
  for (const username of ['second', 'third']) {
    await api.passCooldown()
    await api.register({ username }, cookie)
  }
  assert.deepEqual(await api.pendingNames(), ['stranger', 'second', 'third'])
})

test('a browser’s registration within the cooldown replaces the queued notice to the account’s owner', async (t) => {
  const api = await accountApi(t)
  const { email } = await api.createAccount('owner', 'owner@mail.example')
  const cookie = cookieOf(await api.register({ username: 'one', email }))
  for (const username of ['two', 'three']) await api.register({ username, email }, cookie)
  assert.deepEqual(await api.pendingNames(), ['one', 'three'])
  assert.equal((await api.mailsTo(email)).length, 2, 'one notice was mailed at once, another is queued')
  const templates = (await api.scheduledMails()).map(({ template }) => template)
  assert.deepEqual(templates, ['account-exists'])
})

test('a fourth registration replaces one with an expired code, not its browser’s own with a valid code', async (t) => {
  const api = await accountApi(t)
  const cookie = cookieOf(await api.register({ username: 'one' }))
  await api.passCooldown()
  for (const username of ['two', 'three']) {
    await api.register({ username })
    await api.passCooldown()
  }
  const third = await api.codeFor(EMAIL)
  await api.pool.query(
    `update codes set expires_at = now() where registration_id = (select id from registrations where username = 'two')`,
  )
  await api.register({ username: 'four' }, cookie)
  assert.deepEqual(await api.pendingNames(), ['one', 'three', 'four'])
  assert.equal((await api.verify(third)).status, 200)
})

test('holds a username only as long as its registration exists', async (t) => {
  const api = await accountApi(t)
  const readHeld = async () =>
    (await api.db.selectFrom('usernames').select('key').orderBy('key').execute()).map(({ key }) => key)
  const cookie = cookieOf(await api.register({ username: 'amber' }))
  for (const username of ['brook', 'cedar', 'dune']) await api.register({ username }, cookie)
  assert.deepEqual(await readHeld(), ['amber', 'dune'])
  for (const username of ['eve', 'frank', 'gus']) assert.equal((await api.register({ username })).status, 201)
  // A registration that is not saved holds no username.
  assert.deepEqual(await readHeld(), ['amber', 'dune', 'eve'])
  // All codes expire, so the oldest registration makes room.
  await api.advance('20 minutes')
  await api.register({ username: 'hazel' })
  assert.deepEqual(await readHeld(), ['dune', 'eve', 'hazel'])
  assert.equal((await api.register({ username: 'amber', email: 'other@mail.example' })).status, 201)
})

test('keeps three registrations of one email after parallel calls, with codes a minute apart', async (t) => {
  const api = await accountApi(t)
  const answers = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((index) => api.register({ username: `name${index}` })),
  )
  assert.ok(answers.every(({ status }) => status === 201))
  assert.equal((await api.pendingNames()).length, 3)
  const [second, third, ...others] = await api.scheduledMails()
  assert.ok(second && third && others.length === 0)
  const apartSeconds = third.seconds - second.seconds
  assert.ok(Math.abs(apartSeconds - 60) <= 1, String(apartSeconds))
  assert.equal((await api.mailsTo(EMAIL)).length, 3)
})
