import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { forgotPassword, register, resendCode } from '#contract/accounts/accounts.ts'
import type { Challenge } from '#contract/protocol/challenge.ts'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import { type Answer, testApi, type TestApi } from '../../testing/api.ts'
import { createUsers } from '../../testing/builders/create-users.ts'
import { freshIp } from '../../testing/builders/fresh-ip.ts'
import { solve } from '../../testing/solve.ts'

const newEmail = () => `${randomBytes(6).toString('hex')}@mail.example`
const challengeOf = ({ body }: Answer) => body['challenge'] as Challenge
/** The most work that a challenge can be: its solution, which is found by counting, is below this number. */
const workOf = (answer: Answer) => challengeOf(answer).parameters.data.counterBelow

type Call = TestApi['call']

/** Each call is about another email. */
const resend = (call: Call, ip: string, headers: Record<string, string> = {}) =>
  call(resendCode, { ip, headers, body: { email: newEmail() } })

/** @returns the answer to the first call that needs a challenge. */
async function exceedLimit(call: Call, endpoint: Endpoint, ip: string): Promise<Answer> {
  for (let calls = 0; calls < FREE_CALLS; calls += 1)
    assert.equal((await call(endpoint, { ip, body: { email: newEmail() } })).status, 200)
  return call(endpoint, { ip, body: { email: newEmail() } })
}

test('allows three registrations, and further ones with a solved challenge each', async (t) => {
  const { call, db } = await testApi(t)
  const ip = freshIp()
  const join = (index: number, headers: Record<string, string> = {}) => {
    const body = { username: `person${index}`, email: newEmail(), password: 'a sentence to remember' }
    return call(register, { ip, body, headers })
  }
  for (const index of [1, 2, 3]) {
    const { status, body } = await join(index, { 'x-challenge': 'not looked at within the limit' })
    assert.deepEqual([status, body['challenge']], [201, undefined])
  }
  for (const index of [4, 5]) {
    const refused = await join(index)
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited'])
    const wait = Number(refused.headers['retry-after'])
    assert.ok(Number.isInteger(wait) && wait > 3_500 && wait <= 3_600, `${wait}`)
    assert.equal((await join(index, await solve(challengeOf(refused)))).status, 201)
  }
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from registrations`.execute(db)
  assert.equal(rows[0]?.count, 5)
})

test('accepts a solution exactly once across concurrent calls to two nodes, in each of four rounds', async (t) => {
  const { call, anotherNode } = await testApi(t)
  const nodes = [call, (await anotherNode()).call]
  for (let round = 0; round < 4; round += 1) {
    const ip = freshIp()
    const headers = await solve(challengeOf(await exceedLimit(call, resendCode, ip)))
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => resend(nodes[index % 2] ?? call, ip, headers)),
    )
    const passed = answers.filter(({ status }) => status === 200)
    assert.equal(passed.length, 1, `round ${round}`)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assert.deepEqual([answer.status, answer.body.code], [429, 'challenge_refused'])
      assert.ok(challengeOf(answer))
    }
  }
})

test('rejects a solution for another endpoint or from another network', async (t) => {
  const { call } = await testApi(t)
  const ip = freshIp()
  const other = freshIp()
  const headers = await solve(challengeOf(await exceedLimit(call, resendCode, ip)))
  await exceedLimit(call, forgotPassword, ip)
  await exceedLimit(call, resendCode, other)
  const foreign = [
    await call(forgotPassword, { ip, headers, body: { email: newEmail() } }),
    await resend(call, other, headers),
  ]
  for (const { status, body } of foreign)
    assert.deepEqual([status, body.code, typeof body['challenge']], [429, 'challenge_refused', 'object'])
  assert.equal((await resend(call, ip, headers)).status, 200, 'it is still good where it belongs')
})

const NONSENSE = [
  '',
  ' ',
  '=',
  'null',
  'e30=',
  'bnVsbA==',
  'W10=',
  '%00',
  '../../etc/passwd',
  "' or 1=1 --",
  'ü'.repeat(20),
  'a, b',
  'A'.repeat(2_048),
  'A'.repeat(2_049),
  'A'.repeat(8_000),
  Buffer.from('['.repeat(1_500)).toString('base64'),
  Buffer.from('{"__proto__":{"verified":true}}').toString('base64'),
  Buffer.from('{"challenge":{"parameters":{},"signature":""},"solution":{}}').toString('base64'),
  ...Array.from({ length: 5 }, (_, index) => randomBytes(1 + index * 240).toString('base64')),
]

test('answers an invalid header with a new challenge and changes nothing', async (t) => {
  const { call, db } = await testApi(t)
  const ip = freshIp()
  await exceedLimit(call, resendCode, ip)
  const rateLimits = () => db.selectFrom('rate_limits').selectAll().orderBy('key').execute()
  const before = await rateLimits()
  for (const nonsense of NONSENSE) {
    const answer = await resend(call, ip, { 'x-challenge': nonsense })
    assert.deepEqual([answer.status, answer.body.code], [429, 'challenge_refused'], nonsense)
    assert.equal(challengeOf(answer).parameters.algorithm, 'PBKDF2/SHA-256')
  }
  assert.deepEqual(await rateLimits(), before)
  assert.deepEqual(await db.selectFrom('spent_challenges').selectAll().execute(), [])
})

/** Calls that a network may make without a challenge. */
const FREE_CALLS = 3
/** Calls for a code that a network can buy with proof of work each minute. */
const ALLOWANCE = 12
/** A /48 may make and buy this many times the calls of one network. */
const WIDEST_FACTOR = 16

test('refuses a network past its proof-of-work allowance without spending its solution', async (t) => {
  const { call, db } = await testApi(t)
  const ip = freshIp()
  const send = (headers?: Record<string, string>) => resend(call, ip, headers)
  const first = await exceedLimit(call, resendCode, ip)
  const headers = await solve(challengeOf(first))
  const challenged = await send()
  assert.equal((await send(await solve(challengeOf(challenged)))).status, 200, 'buys a call')
  const setBought = (count: number) =>
    db.updateTable('rate_limits').where('key', 'like', '% bought %').set({ count }).execute()
  await setBought(ALLOWANCE)
  for (const answer of [await send(), await send(headers)]) {
    assert.deepEqual([answer.status, answer.body.code], [429, 'rate_limited'])
    assert.equal(answer.body['challenge'], undefined)
    assert.ok(Number(answer.headers['retry-after']) <= 60)
  }
  await setBought(ALLOWANCE / 2)
  const steeper = workOf(await send())
  assert.ok(steeper > workOf(first), `${steeper}`)
  assert.equal((await send(headers)).status, 200, 'the solution was not spent')
})

test('the networks of a /48 share its allowance', async (t) => {
  const { call, db } = await testApi(t)
  const send = (ip: string, headers?: Record<string, string>) => resend(call, ip, headers)
  const headers = await solve(challengeOf(await exceedLimit(call, resendCode, '2001:db8:0:1::1')))
  await db
    .updateTable('rate_limits')
    .where('key', 'like', '%/48')
    .set({ count: FREE_CALLS * WIDEST_FACTOR })
    .execute()
  assert.equal((await send('2001:db8:0:1::1', headers)).status, 200)
  const challenged = await send('2001:db8:0:ff00::1')
  assert.equal(challenged.status, 429, 'the /48 has used up its limit, the /64 is new')
  assert.equal((await send('2001:db8:0:ff00::1', await solve(challengeOf(challenged)))).status, 200)
  const bought = db.updateTable('rate_limits').where('key', 'like', '% bought %/48')
  await bought.set({ count: ALLOWANCE * WIDEST_FACTOR }).execute()
  const refused = await send('2001:db8:0:ee00::1')
  assert.deepEqual([refused.body.code, refused.body['challenge']], ['rate_limited', undefined])
  assert.equal((await send('2001:db8:1::1')).status, 200, 'another /48')
})

/** {@link workOf} a challenge while no calls have been bought. */
const LEAST_WORK = 800

const setSharedCount = (db: TestApi['db'], count: number, key = 'emails to new addresses') =>
  sql`
    insert into rate_limits (key, count, resets_at) values (${key}, ${count}, now() + interval '1 hour')
    on conflict (key) do update set count = excluded.count`.execute(db)

test('takes work for each email to a new address past a thousand an hour, and refuses none', async (t) => {
  const { call, db, deps } = await testApi(t)
  const [known] = await createUsers(db, deps.campaign.id, 1)
  await setSharedCount(db, 999)
  const send = (email: string, headers: Record<string, string> = {}, ip = freshIp()) =>
    call(resendCode, { ip, headers, body: { email } })
  assert.equal((await send(newEmail())).status, 200, 'the last one without proof of work')
  // The answer must not tell whether an email is known.
  const challenged = [await send(newEmail()), await send(known.email)]
  for (const answer of challenged) {
    assert.deepEqual([answer.status, answer.body.code], [429, 'rate_limited'])
    assert.ok(Number(answer.headers['retry-after']) > 3_500)
    assert.equal(workOf(answer), LEAST_WORK)
  }
  const join = await call(register, {
    body: { username: 'somebody', email: newEmail(), password: 'a sentence to remember' },
  })
  assert.equal(typeof join.body['challenge'], 'object', 'registrations share the limit')
  const { status } = await call(forgotPassword, { body: { email: newEmail() } })
  assert.equal(status, 200, 'only accounts get an email when a password is forgotten')
  const ip = freshIp()
  const solution = await solve(challengeOf(await send(newEmail(), undefined, ip)))
  assert.equal((await send(newEmail(), solution, ip)).status, 200)
  await setSharedCount(db, 3_000, 'emails to new addresses bought')
  assert.equal(workOf(await send(newEmail())), LEAST_WORK * 3, 'all 3,000 of an hour are bought')
})

test('one solution covers the network’s limit and the shared limit', async (t) => {
  const { call, db } = await testApi(t)
  const ip = freshIp()
  const refused = await exceedLimit(call, resendCode, ip)
  for (let calls = 0; calls < 5; calls += 1) await resend(call, ip, { 'x-challenge': 'no-solution' })
  const shared = db.selectFrom('rate_limits').select('count').where('key', '=', 'emails to new addresses')
  const counts = await shared.execute()
  assert.deepEqual(counts, [{ count: FREE_CALLS }], 'a call without a solution leaves it alone')
  await setSharedCount(db, 1_000)
  const headers = await solve(challengeOf(refused))
  assert.equal((await resend(call, ip, headers)).status, 200)
  assert.equal((await resend(call, ip, headers)).status, 429, 'the solution is spent')
  await db
    .updateTable('rate_limits')
    .where('key', 'like', '/users/resend-otp % bought %')
    .set({ count: ALLOWANCE })
    .execute()
  const { status, body } = await resend(call, ip)
  assert.deepEqual([status, body['challenge']], [429, undefined], 'a network still cannot buy without end')
})
