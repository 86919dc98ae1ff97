import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as accounts from '#contract/accounts/accounts.ts'
import { login } from '#contract/accounts/sessions.ts'
import { wholeBoard } from '#server/testing/checks/ledger-invariants.ts'
import { apiWithAccount, EMAIL } from '#server/testing/account-api.ts'
import { PASSWORD, testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { createUserWithPassword } from '#server/testing/builders/users-with-password.ts'
import { testDeps, testNode } from '#server/testing/deps.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { ROUNDS, tally } from '#server/testing/database/races.ts'
import { until } from '#server/testing/until.ts'
import { CHANNEL } from '../events/announce.ts'
import { createAdministrator } from './create-administrator.ts'

const PASSPHRASE = 'an administrator passphrase'

test('creates an administrator, who can log in and is not on the leaderboard', async (t) => {
  const api = await testApi(t)
  const account = { email: 'Boss@Team.example', username: 'admin', password: PASSPHRASE }
  assert.deepEqual(await createAdministrator(api.deps, account), { isNew: true })
  const { user } = await api.logIn('boss@team.example', PASSPHRASE)
  assert.partialDeepStrictEqual(user, { role: 'admin', username: 'admin', email: 'Boss@team.example' })
  assert.deepEqual(await wholeBoard(api.db, api.deps.campaign.id), [])
  const roles = { before: { role: null }, after: { role: 'admin' } }
  assert.equal((await api.db.selectFrom('journal').select('id').execute()).length, 1)
  assert.deepEqual(await entriesOf(api.db, { subject: user._id }), [
    { actor: null, action: 'role.changed', subject: user._id, ...roles, content: null },
  ])
})

test('a promoted participant keeps the points, but no session and no place on the leaderboard', async (t) => {
  const api = await testApi(t)
  const ann = await createUserWithPassword(api)
  const elsewhere = await api.logIn(ann.email, PASSWORD)
  await api.db.updateTable('standings').set({ pf: 7 }).execute()
  const [email, username] = [ann.email.toUpperCase(), ann.username.toUpperCase()]
  const account = { email, username, password: PASSPHRASE }
  const heard: (string | undefined)[] = []
  const client = await api.pool.connect()
  try {
    client.on('notification', ({ payload }) => heard.push(payload))
    await client.query(`listen ${CHANNEL}`)
    assert.deepEqual(await createAdministrator(api.deps, account), { isNew: false })
    await until('nodes hear that the leaderboard has changed', () => heard.includes('leaderboard'))
  } finally {
    client.release(true) // closes it, because it still listens
  }
  for (const token of [ann.token, elsewhere.token])
    assert.equal((await api.call(accounts.profile, { token })).status, 401)
  await assert.rejects(api.logIn(ann.email, PASSWORD), /credentials_invalid/)
  const { user } = await api.logIn(ann.email, PASSPHRASE)
  assert.partialDeepStrictEqual(user, { _id: ann.id, role: 'admin', username: ann.username })
  const standings = await api.db.selectFrom('standings').select(['listed', 'pf']).execute()
  assert.deepEqual(standings, [{ listed: false, pf: 7 }])
})

test('a promotion does not change the answer to a stranger who has registered the participant’s email', async (t) => {
  const api = await testApi(t)
  const { email, username } = await createUserWithPassword(api)
  const password = 'a passphrase of a stranger'
  await api.call(accounts.register, { body: { email, username: 'a-stranger', password } })
  const refusal = async () => (await api.call(login, { body: { email, password } })).body.code
  assert.equal(await refusal(), 'email_unverified')
  await createAdministrator(api.deps, { email, username, password: PASSPHRASE })
  assert.equal(await refusal(), 'email_unverified')
})

test('voids reset tokens of the account, and registrations of the email', async (t) => {
  const api = await apiWithAccount(t)
  const resetToken = await api.createResetToken()
  await createAdministrator(api.deps, { email: EMAIL, username: 'alice', password: PASSPHRASE })
  assert.equal((await api.reset(resetToken, 'the password of a thief')).body.code, 'reset_token_invalid')

  const email = 'boss@team.example'
  await api.register({ username: 'first-name', email })
  const code = await api.codeFor(email)
  await createAdministrator(api.deps, { email, username: 'boss-name', password: PASSPHRASE })
  assert.equal((await api.verify(code, email)).body.code, 'code_invalid')
  await api.logIn(email, PASSPHRASE)
})

test('rejects invalid input, naming the field, and changes nothing', async (t) => {
  const api = await testApi(t)
  const ann = await createUserWithPassword(api)
  const pending = { email: 'ben@mail.example', username: 'Ben.Held', password: PASSWORD }
  await api.call(accounts.register, { body: pending })
  const valid = { email: 'boss@team.example', username: 'boss', password: PASSPHRASE }
  const cases: [changes: Partial<typeof valid>, fields: Record<string, string>][] = [
    [{ password: 'fourteen chars' }, { password: 'password_short_admin' }],
    [{ password: 'x'.repeat(129) }, { password: 'password_long' }],
    [{ username: 'x' }, { username: 'username_format' }],
    [{ username: 'a name' }, { username: 'username_format' }],
    [{ email: 'boss' }, { email: 'email_format' }],
    [{ username: ann.username.toUpperCase() }, { username: 'username_taken' }],
    [{ username: 'ben.held' }, { username: 'username_taken' }],
    [{ email: ann.email }, { username: 'username_of_other' }],
  ]
  for (const [changes, fields] of cases) {
    const creating = createAdministrator(api.deps, { ...valid, ...changes })
    await assert.rejects(creating, { code: 'invalid_input', details: { fields } }, JSON.stringify(changes))
  }
  assert.equal((await api.call(accounts.profile, { token: ann.token })).status, 200)
  await api.logIn(ann.email, PASSWORD)
  const users = await api.db.selectFrom('users').select('role').execute()
  assert.deepEqual(users, [{ role: 'user' }])
  assert.equal((await api.db.selectFrom('journal').selectAll().execute()).length, 0)
})

test('does not list an administrator who was created before the campaign', async (t) => {
  const { db, deps } = await testNode(t)
  await db.deleteFrom('campaigns').execute() // until `testDeps` inserts it again
  const account = { email: 'boss@team.example', username: 'boss', password: PASSPHRASE }
  assert.deepEqual(await createAdministrator(deps, account), { isNew: true })
  await testDeps(db)
  await createUsers(db, deps.campaign.id, 1)
  assert.deepEqual(await createAdministrator(deps, account), { isNew: false })
  const standings = await db.selectFrom('standings').select('listed').orderBy('listed').execute()
  assert.deepEqual(standings, [{ listed: false }, { listed: true }], 'the administrator and a participant')
})

test('race: two calls create one account; of two accounts with the same username, one is refused', async (t) => {
  const { deps } = await testNode(t)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const create = (email: string, username: string) =>
      createAdministrator(deps, { email: `${email}@team.example`, username, password: PASSPHRASE })
    const sameAccount = [create(`a${round}`, `a-${round}`), create(`a${round}`, `a-${round}`)]
    assert.deepEqual(await tally(sameAccount), { done: 2 })
    const sameName = [create(`b${round}`, `b-${round}`), create(`c${round}`, `b-${round}`)]
    assert.deepEqual(await tally(sameName), { done: 1, invalid_input: 1 }, `round ${round}`)
  }
  assert.equal((await deps.db.selectFrom('users').select('id').execute()).length, 2 * ROUNDS)
})
