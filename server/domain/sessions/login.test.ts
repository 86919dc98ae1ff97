import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import * as contract from '#contract/accounts/sessions.ts'
import {
  createPasswordHasher,
  isOutdated,
  type PasswordHasher,
} from '#server/platform/passwords/password-hash.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { accountApi, EMAIL } from '#server/testing/account-api.ts'
import { NEW_PASSWORD, PASSWORD, testApi, type TestApi } from '#server/testing/api.ts'
import { outcomeOf } from '#server/testing/code-purposes.ts'
import { comparable } from '#server/testing/checks/comparable.ts'
import { createUserWithPassword } from '#server/testing/builders/users-with-password.ts'
import { testNode } from '#server/testing/deps.ts'
import { ROUNDS, tally } from '#server/testing/database/races.ts'
import { readUser } from '../accounts/user.ts'
import { login } from './login.ts'

const attempt = (api: TestApi, email: string, password: string) =>
  api.call(contract.login, { body: { email, password } })

test('starts a session and returns the account, however the email is spelled', async (t) => {
  const api = await testApi(t)
  const { email, id } = await createUserWithPassword(api)
  const { status, body, headers } = await attempt(api, email, PASSWORD)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body).toSorted(), ['data', 'message', 'token'])
  assert.equal(body.message, 'Logged in successfully!')
  assert.match(body['token'] as string, /^[A-Za-z0-9_-]{43}$/)
  assert.deepEqual(body.data, await readUser(api.db, api.deps.campaign.id, id))
  assert.match(String(headers['set-cookie']), /^device=[^,]+$/, 'only the device cookie is set')
  for (const typed of [email.toUpperCase(), ` ${email} `, email.replace('@', '＠')])
    assert.equal((await attempt(api, typed, PASSWORD)).status, 200, typed)
})

test('only the right password reveals that an account is unverified or banned', async (t) => {
  const api = await accountApi(t)
  const known = await createUserWithPassword(api)
  const banned = await createUserWithPassword(api)
  await api.pool.query('update users set banned_at = now() where id = $1', [banned.id])
  await api.pool.query('delete from sessions')
  await api.register()
  const message = 'Invalid email or password.'
  const answers = []
  for (const email of ['nobody@mail.example', known.email, banned.email, EMAIL]) {
    const answer = await attempt(api, email, 'a wrong password')
    assert.deepEqual(outcomeOf(answer), [401, 'credentials_invalid', message])
    assert.deepEqual(answer.body.fields, { password: message }, 'the field has the message, too')
    answers.push(comparable(answer))
  }
  assert.equal(new Set(answers).size, 1)
  for (const [email, ...refusal] of [
    [EMAIL, 403, 'email_unverified', 'Please verify your email before logging in.'],
    [banned.email, 403, 'account_banned', 'This account has been suspended.'],
  ] as const) {
    const answer = await attempt(api, email, PASSWORD)
    assert.deepEqual(outcomeOf(answer), refusal)
    assert.deepEqual([answer.body['token'], answer.body.data], [undefined, undefined])
  }
  assert.deepEqual(await api.db.selectFrom('sessions').selectAll().execute(), [])
})

test('asks to verify the email if the password matches any registration of the email', async (t) => {
  const api = await accountApi(t)
  for (const username of ['first', 'second']) {
    await api.register({ username, password: `the ${username} passphrase` })
    await api.passCooldown()
  }
  for (const password of ['the first passphrase', 'the second passphrase'])
    assert.equal((await attempt(api, EMAIL, password)).body.code, 'email_unverified')
  await api.pool.query(`update registrations set expires_at = now() - interval '1 second'`)
  const expired = await attempt(api, EMAIL, 'the first passphrase')
  assert.equal(expired.body.code, 'credentials_invalid')
})

test('a login costs exactly one hashing, whether or not the email is known', async (t) => {
  const api = await accountApi(t)
  const known = await createUserWithPassword(api)
  // Renewing an outdated hash would take another hashing.
  await api.pool.query('update users set password_hash = $1', [await createPasswordHasher().hash(PASSWORD)])
  await api.register()
  const withThree = 'three@mail.example'
  for (const username of ['three1', 'three2', 'three3']) {
    await api.register({ username, email: withThree, password: `the passphrase of ${username}` })
    await api.passCooldown()
  }
  const { mock: matches } = t.mock.method(api.deps.hasher, 'matches')
  const { mock: verifyDummy } = t.mock.method(api.deps.hasher, 'verifyDummy')
  for (const email of ['nobody@mail.example', known.email, EMAIL, withThree]) {
    for (const password of ['a wrong password', PASSWORD]) {
      await attempt(api, email, password)
      const comparisons = matches.calls.filter(({ arguments: [, ...hashes] }) => hashes.length > 0)
      assert.equal(comparisons.length + verifyDummy.callCount(), 1, `${email} ${password}`)
      for (const mock of [matches, verifyDummy]) mock.resetCalls()
    }
  }
})

const readHash = async ({ db }: Pick<TestApi, 'db'>) =>
  (await db.selectFrom('users').select('password_hash').executeTakeFirstOrThrow()).password_hash

const refuseAsBusy = async () => {
  throw new Refusal('unavailable', { retryAfter: 2 })
}

test('rehashes an outdated hash at the next login, unless the server is too busy, and keeps the password', async (t) => {
  const api = await testApi(t)
  // Hashes by the tests' hasher count as outdated.
  const { email } = await createUserWithPassword(api)
  const outdated = await readHash(api)
  t.mock.method(api.deps.hasher, 'hash', refuseAsBusy)
  assert.equal((await attempt(api, email, PASSWORD)).status, 200)
  assert.equal(await readHash(api), outdated)

  api.deps.hasher = createPasswordHasher()
  assert.equal((await attempt(api, email, PASSWORD)).status, 200)
  assert.equal(isOutdated(await readHash(api)), false)
  assert.equal((await attempt(api, email, PASSWORD)).status, 200)
})

/** Logs in with an outdated hash. A reset commits just before the password is compared or rehashed. */
async function logInDuringReset(t: TestContext, resetBefore: 'comparing' | 'rehashing') {
  const node = await testNode(t)
  const { deps, db, pool } = node
  const { email } = await createUserWithPassword(node)
  await pool.query('delete from sessions')
  const { hash, matches } = deps.hasher
  const newHash = await hash(NEW_PASSWORD)
  const reset = () => pool.query('update users set password_hash = $1', [newHash])
  const hasher: PasswordHasher = {
    ...deps.hasher,
    async matches(...input) {
      if (resetBefore === 'comparing') await reset()
      return matches(...input)
    },
    async hash(...input) {
      await reset()
      return hash(...input)
    },
  }
  const entering = login({ ...deps, hasher }, { email, password: PASSWORD }, { network: '192.0.2.1' })
  const outcome = await tally([entering])
  assert.equal(await readHash(node), newHash, 'the login does not replace the hash of the reset')
  return { outcome, sessions: await db.selectFrom('sessions').selectAll().execute() }
}

test('a login is refused if a reset commits before the session starts', async (t) => {
  const { outcome, sessions } = await logInDuringReset(t, 'comparing')
  assert.deepEqual(outcome, { credentials_invalid: 1 })
  assert.deepEqual(sessions, [])
})

test('a login that rehashes the password does not replace the hash of a reset that commits meanwhile', async (t) => {
  const { outcome, sessions } = await logInDuringReset(t, 'rehashing')
  assert.deepEqual(outcome, { done: 1 })
  assert.equal(sessions.length, 1)
})

test('leaves no session of the old password after a parallel reset and login', async (t) => {
  const api = await accountApi(t)
  const { email } = await createUserWithPassword(api)
  const oldHash = await api.deps.hasher.hash(PASSWORD)
  for (let round = 0; round < ROUNDS; round += 1) {
    await api.pool.query('update users set password_hash = $1', [oldHash])
    const token = await api.createResetToken(email)
    const [reset, entered] = await Promise.all([
      api.reset(token, NEW_PASSWORD, email),
      attempt(api, email, PASSWORD),
    ])
    assert.equal(reset.status, 200)
    assert.ok([200, 401].includes(entered.status), String(entered.status))
    assert.deepEqual(await api.db.selectFrom('sessions').selectAll().execute(), [], `round ${round}`)
  }
})

test('does not count an attempt if the server is too busy to compare', async (t) => {
  const api = await testApi(t)
  const { email } = await createUserWithPassword(api)
  const { mock } = t.mock.method(api.deps.hasher, 'matches', refuseAsBusy)
  // Ten attempts are allowed.
  const enter = () => api.call(contract.login, { ip: '192.0.2.9', body: { email, password: PASSWORD } })
  for (let count = 0; count < 12; count += 1) {
    const { status, headers } = await enter()
    assert.deepEqual([status, headers['retry-after']], [503, '2'])
  }
  mock.restore()
  assert.equal((await enter()).status, 200)
})
