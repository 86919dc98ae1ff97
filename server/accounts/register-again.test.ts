import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountApi, EMAIL } from '../testing/account-api.ts'

test('no pre-hijack: a code activates the registration it was mailed for, with its own password', async (t) => {
  const api = await accountApi(t)
  await api.join({ username: 'stranger', password: 'the passphrase of a stranger' })
  const strangers = await api.codeFor(EMAIL)
  await api.pass('61 seconds')
  await api.join({ username: 'victim', password: 'the passphrase of the victim' })
  const victims = await api.codeFor(EMAIL)
  assert.ok((await api.mailsTo(EMAIL)).at(-1)?.text.includes('“victim”'))
  assert.equal((await api.verify(victims)).status, 200)
  assert.deepEqual(
    [await api.enter('the passphrase of a stranger'), await api.enter('the passphrase of the victim')],
    [401, 200],
  )
  assert.equal((await api.verify(strangers)).status, 400, 'the other registration is gone with its code')
  const users = await api.db.selectFrom('users').select('username').execute()
  assert.deepEqual(users, [{ username: 'victim' }])
})

test('the other way round too: the first code makes the first account', async (t) => {
  const api = await accountApi(t)
  await api.join({ username: 'first', password: 'the first passphrase' })
  const first = await api.codeFor(EMAIL)
  await api.pass('61 seconds')
  await api.join({ username: 'second', password: 'the second passphrase' })
  assert.equal((await api.verify(first)).status, 200)
  assert.deepEqual(
    [await api.enter('the second passphrase'), await api.enter('the first passphrase')],
    [401, 200],
  )
})

test('within a minute the answer is the same, and only the newest one’s mail leaves when it is over', async (t) => {
  const api = await accountApi(t)
  await api.join({ username: 'first' })
  for (const username of ['second', 'third', 'fourth'])
    assert.equal((await api.join({ username })).status, 201)
  const later = await api.waiting()
  assert.deepEqual(
    later.map(({ username }) => username),
    ['fourth'],
  )
  assert.ok((later[0]?.seconds ?? 0) > 55 && (later[0]?.seconds ?? 99) <= 60)
  assert.deepEqual(await api.pendingNames(), ['first', 'fourth'])
  const early = await api.codeFor(EMAIL)
  assert.equal((await api.verify(early)).status, 400, 'a code that has not left does not count yet')
  await api.pass('61 seconds')
  assert.deepEqual(await api.waiting(), [])
  assert.equal((await api.verify(early)).status, 200)
})

test('the mail to an owner keeps to the same minute', async (t) => {
  const api = await accountApi(t)
  const { email } = await api.participant()
  await api.pass('61 seconds')
  const before = (await api.mailsTo(email)).length
  for (const username of ['one', 'two', 'three']) await api.join({ username, email })
  assert.equal((await api.mailsTo(email)).length, before + 2)
  assert.deepEqual(
    (await api.waiting()).map(({ template }) => template),
    ['account-exists'],
  )
})

test('at most three registrations of one email wait at a time; the oldest goes', async (t) => {
  const api = await accountApi(t)
  for (const username of ['one', 'two', 'three', 'four']) {
    await api.join({ username })
    await api.pass('61 seconds')
  }
  assert.deepEqual(await api.pendingNames(), ['two', 'three', 'four'])
})

test('a registration whose code is dead goes before an older one that can still be verified', async (t) => {
  const api = await accountApi(t)
  for (const username of ['one', 'two', 'three']) {
    await api.join({ username })
    await api.pass('61 seconds')
  }
  const third = await api.codeFor(EMAIL)
  await api.pool.query(
    `update codes set expires_at = now() where registration_id = (select id from registrations where username = 'two')`,
  )
  await api.join({ username: 'four' })
  assert.deepEqual(await api.pendingNames(), ['one', 'three', 'four'])
  assert.equal((await api.verify(third)).status, 200)
})

test('one email registering many times at once ends with one code now and one later', async (t) => {
  const api = await accountApi(t)
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((index) => api.join({ username: `name${index}` })))
  assert.ok(answers.every(({ status }) => status === 201))
  assert.equal((await api.pendingNames()).length, 2)
  assert.equal((await api.waiting()).length, 1)
  assert.equal((await api.mailsTo(EMAIL)).length, 2)
})

test('five mails an hour and ten a day are the most that anybody can cause', async (t) => {
  const api = await accountApi(t)
  for (let index = 0; index < 5; index += 1) {
    await api.join({ username: `name${index}` })
    await api.pass('61 seconds')
  }
  await api.join({ username: 'sixth' })
  const [sixth] = await api.waiting()
  assert.ok((sixth?.seconds ?? 0) > 3_600 - 5 * 61 - 10, JSON.stringify(sixth))
  await api.pass('2 hours')
  for (let index = 7; index <= 10; index += 1) {
    await api.join({ username: `name${index}` })
    await api.pass('61 minutes')
  }
  await api.join({ username: 'eleventh' })
  const [eleventh] = await api.waiting()
  assert.ok((eleventh?.seconds ?? 0) > 16 * 3_600, JSON.stringify(eleventh))
})
