import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { profile } from '#contract/accounts/accounts.ts'
import { login } from '#contract/accounts/sessions.ts'
import { accountApi, type AccountApi } from '#server/testing/account-api.ts'
import { PASSWORD } from '#server/testing/api.ts'
import { createUserWithPassword } from '#server/testing/builders/users-with-password.ts'

type Attempt = { email?: string; password?: string; ip?: string }

async function setUp(t: TestContext) {
  const api = await accountApi(t)
  const person = await createUserWithPassword(api)
  const { mock: matches } = t.mock.method(api.deps.hasher, 'matches')
  const enter = ({ email = person.email, password = 'a wrong password', ip }: Attempt = {}) =>
    api.call(login, { body: { email, password }, ip })
  const statusesOf = async (times: number, attempt: Attempt = {}) => {
    const statuses: number[] = []
    for (let count = 0; count < times; count += 1) statuses.push((await enter(attempt)).status)
    return statuses
  }
  return { api, person, enter, statusesOf, countComparisons: () => matches.callCount() }
}

const advance = (api: AccountApi, seconds: number) =>
  api.pool.query(`update rate_limits set resets_at = resets_at - make_interval(secs => $1)`, [seconds])

const endLimit = (api: AccountApi, limit: string) =>
  api.pool.query(`update rate_limits set resets_at = now() where key like $1`, [`${limit} %`])

const TEN_FAILURES = Array<number>(10).fill(401)
const FAILURES_PER_NETWORK = 6

test('locks an account after ten failures, first for five minutes and up to an hour, until a login succeeds', async (t) => {
  const { api, enter, statusesOf, countComparisons } = await setUp(t)
  const other = await createUserWithPassword(api)
  const assertLock = async (seconds: number) => {
    assert.deepEqual(await statusesOf(10), TEN_FAILURES, `before a lock of ${seconds} s`)
    const { status, body, headers } = await enter()
    const message = 'Too many attempts. Please wait a moment and try again.'
    assert.deepEqual([status, body.code, body.message], [429, 'rate_limited', message])
    const waitSeconds = Number(headers['retry-after'])
    assert.ok(waitSeconds > seconds - 60 && waitSeconds <= seconds, `${waitSeconds} instead of ${seconds}`)
  }
  await assertLock(300)
  assert.equal((await enter({ password: PASSWORD })).status, 429, 'the right password is refused, too')
  assert.equal(countComparisons(), 10, 'nothing is compared during the lock')
  assert.equal((await enter({ email: other.email, password: PASSWORD })).status, 200, 'another account')
  await advance(api, 301)
  for (const seconds of [600, 1200, 2400, 3600, 3600]) {
    await assertLock(seconds)
    await advance(api, seconds + 1)
  }
  assert.equal((await enter({ password: PASSWORD })).status, 200)
  await assertLock(300)
})

test('compares at most ten of forty parallel wrong passwords on two nodes', async (t) => {
  const { api, person, countComparisons } = await setUp(t)
  const nodes = [api, await api.anotherNode()]
  for (let round = 1; round <= 5; round += 1) {
    await api.pool.query('delete from rate_limits')
    const body = { email: person.email, password: 'a wrong password' }
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (nodes[index % 2] ?? api).call(login, { body })),
    )
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    assert.equal(count(401), 10)
    assert.equal(count(429), 30)
    assert.equal(countComparisons(), round * 10)
  }
})

test('a lock does not end the owner’s sessions, and a new password lifts the lock', async (t) => {
  const { api, person, enter, statusesOf } = await setUp(t)
  assert.deepEqual(await statusesOf(11), [...TEN_FAILURES, 429])
  assert.equal((await api.call(profile, { token: person.token })).status, 200)
  const token = await api.createResetToken(person.email)
  assert.equal((await api.reset(token, PASSWORD, person.email)).status, 200)
  assert.equal((await enter({ password: PASSWORD })).status, 200)
})

test('limits a network to six failures a minute and thirty an hour, even if logins succeed in between', async (t) => {
  const { api, enter } = await setUp(t)
  const ip = '192.0.2.7'
  for (let index = 1; index <= FAILURES_PER_NETWORK; index += 1) {
    assert.equal((await enter({ password: PASSWORD, ip })).status, 200)
    assert.equal((await enter({ email: `a${index}@mail.example`, ip })).status, 401)
  }
  const { status, headers } = await enter({ email: 'a7@mail.example', ip })
  assert.equal(status, 429)
  assert.ok(Number(headers['retry-after']) <= 60)
  assert.equal((await enter({ password: PASSWORD, ip })).status, 429)
  assert.equal((await enter({ password: PASSWORD })).status, 200, 'another network')
  await advance(api, 61)
  assert.equal((await enter({ password: PASSWORD, ip })).status, 200)

  await api.addToCount(`login network hour ${ip}`, 29 - FAILURES_PER_NETWORK)
  assert.equal((await enter({ email: 'a30@mail.example', ip })).status, 401)
  const inTheHour = await enter({ password: PASSWORD, ip })
  assert.equal(inTheHour.status, 429)
  assert.ok(Number(inTheHour.headers['retry-after']) > 60)
})

test('limits a network to twenty logins a minute over all accounts, even with right passwords', async (t) => {
  const { api, person, enter, statusesOf } = await setUp(t)
  const ip = '192.0.2.7'
  for (const { email } of [person, await createUserWithPassword(api)])
    assert.equal((await enter({ email, password: PASSWORD, ip })).status, 200)
  await api.addToCount(`logins network ${ip}`, 19 - 2) // two are counted already
  assert.equal((await enter({ password: PASSWORD, ip })).status, 200)
  const { status, headers, body } = await enter({ password: PASSWORD, ip })
  assert.deepEqual([status, body.code], [429, 'rate_limited'])
  assert.ok(Number(headers['retry-after']) <= 60)
  assert.equal((await enter({ password: PASSWORD })).status, 200, 'other networks are not limited')
  // A refused login is no failure: with the refusal above, these would exceed the network's six failures.
  const refused = await statusesOf(FAILURES_PER_NETWORK, { password: PASSWORD, ip })
  assert.deepEqual(new Set(refused), new Set([429]))
  await endLimit(api, 'logins network')
  assert.equal((await enter({ password: PASSWORD, ip })).status, 200)
})

test('limits an account to sixty logins an hour from any network', async (t) => {
  const { api, enter, statusesOf, countComparisons } = await setUp(t)
  assert.equal((await enter({ password: PASSWORD })).status, 200)
  await api.addToCount('logins account %', 59 - 1) // one is counted already
  assert.equal((await enter({ password: PASSWORD })).status, 200)
  const { status, headers } = await enter({ password: PASSWORD })
  assert.equal(status, 429)
  assert.ok(Number(headers['retry-after']) > 3_000)
  // A refused login is no failure: with the refusal above, these nine would lock the account.
  assert.deepEqual(new Set(await statusesOf(9, { password: PASSWORD })), new Set([429]))
  assert.equal(countComparisons(), 2)
  await endLimit(api, 'logins account')
  assert.equal((await enter({ password: PASSWORD })).status, 200)
})

test('counts all addresses of an IPv6 /64 as one network, and allows a /48 sixteen times as many failures', async (t) => {
  const { api, enter } = await setUp(t)
  for (let index = 0; index < FAILURES_PER_NETWORK; index += 1)
    assert.equal((await enter({ email: `c${index}@mail.example`, ip: `2001:db8:9::${index}:1` })).status, 401)
  assert.equal((await enter({ email: 'c@mail.example', ip: '2001:db8:9::ffff:ffff:ffff:ffff' })).status, 429)
  assert.equal((await enter({ email: 'c@mail.example', ip: '2001:db8:9:1::1' })).status, 401)
  assert.equal((await enter({ email: 'a@mail.example', ip: '2001:db8::1' })).status, 401)
  await api.addToCount('login network 2001:db8::/48', 16 * FAILURES_PER_NETWORK - 2)
  assert.equal((await enter({ email: 'a@mail.example', ip: '2001:db8:0:100::1' })).status, 401)
  assert.equal((await enter({ email: 'b@mail.example', ip: '2001:db8:0:ff01::1' })).status, 429)
  assert.equal((await enter({ email: 'b@mail.example', ip: '2001:db8:1::1' })).status, 401, 'another /48')
})
