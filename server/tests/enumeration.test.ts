import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as accounts from '#contract/accounts/accounts.ts'
import { ENDPOINTS } from '#server/testing/endpoints.ts'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import { mailFlow } from '#contract/dashboard/mail.ts'
import { login } from '#contract/accounts/sessions.ts'
import { createPasswordHasher } from '../platform/passwords/password-hash.ts'
import { newToken } from '../platform/secrets.ts'
import { accountApi, type AccountApi, cookieOf } from '../testing/account-api.ts'
import { type Answer, testApi, type TestApi } from '../testing/api.ts'
import { freshIp } from '../testing/builders/fresh-ip.ts'
import { comparable } from '../testing/checks/comparable.ts'
import { createUsersWithPassword } from '../testing/builders/users-with-password.ts'
import { advanceTime } from '../testing/advance-time.ts'

/** Someone who tries one email, from one network and with one browser. */
type Stranger = { email: string; username: string; ip: string; cookie?: string }

const STRANGER_PASSWORD = 'the passphrase of a stranger'
const WRONG_PASSWORD = 'the passphrase of nobody'
const UNKNOWN_TOKEN = newToken()

type Step = { name: string; endpoint: Endpoint; body: (stranger: Stranger) => Record<string, unknown> }

/** All public calls that take an email. */
const STEPS: Step[] = [
  {
    name: 'register',
    endpoint: accounts.register,
    body: ({ email, username }) => ({ username, email, password: STRANGER_PASSWORD }),
  },
  { name: 'verify', endpoint: accounts.verifyEmail, body: ({ email }) => ({ email, otp: '000000' }) },
  { name: 'resend', endpoint: accounts.resendCode, body: ({ email }) => ({ email }) },
  {
    name: 'resend to reset',
    endpoint: accounts.resendCode,
    body: ({ email }) => ({ email, purpose: 'reset-password' }),
  },
  { name: 'forgot', endpoint: accounts.forgotPassword, body: ({ email }) => ({ email }) },
  { name: 'check the code', endpoint: accounts.verifyOtp, body: ({ email }) => ({ email, otp: '000000' }) },
  {
    name: 'reset',
    endpoint: accounts.resetPassword,
    body: ({ email }) => ({ email, newPassword: STRANGER_PASSWORD, resetPasswordToken: UNKNOWN_TOKEN }),
  },
  { name: 'log in', endpoint: login, body: ({ email }) => ({ email, password: STRANGER_PASSWORD }) },
  { name: 'log in wrongly', endpoint: login, body: ({ email }) => ({ email, password: WRONG_PASSWORD }) },
]
const findStep = (name: string): Step =>
  STEPS.find((candidate) => candidate.name === name) ?? assert.fail(name)

/** Makes the call of a step like a browser, which keeps the answer's cookie. */
async function send(api: TestApi, { endpoint, body }: Step, stranger: Stranger): Promise<Answer> {
  const { ip, cookie } = stranger
  const answer = await api.call(endpoint, { ip, body: body(stranger), headers: cookie ? { cookie } : {} })
  assert.ok(answer.status < 500, `${endpoint.path}: ${answer.text}`)
  if (answer.headers['set-cookie'] !== undefined) stranger.cookie = cookieOf(answer)
  return answer
}

/** Two strangers: one tries a known email, the other an unknown one. */
type Pair = { known: Stranger; unknown: Stranger }

async function createPairs(api: TestApi, count: number): Promise<Pair[]> {
  const people = await createUsersWithPassword(api, count)
  return people.map(({ email }, index) => ({
    known: { email, username: `known.${index}`, ip: freshIp() },
    unknown: { email: `u${index}@mail.example`, username: `other.${index}`, ip: freshIp() },
  }))
}

/**
 * Makes a call for both strangers. Asserts that the answers are equal, except for what differs on every call.
 * Retry-After may differ by 2 s plus the calls' duration.
 * @returns the code of the refusal, or the status.
 */
async function assertIndistinguishable(
  api: AccountApi,
  step: Step,
  { known, unknown }: Pair,
  sequence: string,
): Promise<string> {
  const begin = performance.now()
  const answers = [await send(api, step, known), await send(api, step, unknown)] as const
  const seconds = (performance.now() - begin) / 1_000
  assert.equal(comparable(answers[0]), comparable(answers[1]), sequence)
  const [one, other] = answers.map(({ headers }) => Number(headers['retry-after'] ?? 0))
  assert.ok(
    Math.abs((one ?? 0) - (other ?? 0)) <= 2 + seconds,
    `${sequence}: retry after ${one} and ${other} s`,
  )
  return answers[0].body.code ?? String(answers[0].status)
}

/** Asserts that emails go only to the tried addresses, and codes to verify an email only to unknown ones. */
async function assertOnlyExpectedMails(api: AccountApi, tried: readonly Pair[]) {
  const { rows } = await api.pool.query<{ to: string; template: string }>(
    `select payload->>'to' as to, payload->>'template' as template from jobs where kind = 'mail'`,
  )
  const known = new Set(tried.map((pair) => pair.known.email))
  const unknown = new Set(tried.map((pair) => pair.unknown.email))
  assert.ok(rows.length > 0)
  for (const { to, template } of rows) {
    assert.ok(known.has(to) || unknown.has(to), `a mail to ${to}`)
    const expected = known.has(to) ? ['account-exists', 'reset-password'] : ['verify-email']
    assert.ok(expected.includes(template), `${template} to ${to}`)
  }
}

test('the steps are exactly the public calls that take an email', () => {
  // Every public POST takes an email. Setup is not included, because it ends with the first administrator.
  const takingEmail = ENDPOINTS.filter(
    ({ access, method, path }) => access === 'public' && method === 'POST' && !path.startsWith('/setup'),
  )
  const covered = takingEmail.map(({ path }) => path).toSorted()
  assert.deepEqual(covered, [...new Set(STEPS.map(({ endpoint }) => endpoint.path))].toSorted())
})

/** After a code, no other is sent for a minute. */
const AFTER_COOLDOWN = '61 seconds'

for (const pause of [undefined, AFTER_COOLDOWN]) {
  const when = pause === undefined ? 'at once' : `${pause} later`
  test(`no two calls distinguish a known from an unknown email, the second ${when}`, async (t) => {
    const api = await accountApi(t)
    const combinations = STEPS.flatMap((first) => STEPS.map((second) => ({ first, second })))
    const tried = await createPairs(api, combinations.length)
    const sendBoth = async (which: 'first' | 'second', index: number) => {
      const combination = combinations[index] ?? assert.fail()
      const sequence = `${combination.first.name}, then ${combination.second.name} ${when}: the ${which} call`
      await assertIndistinguishable(api, combination[which], tried[index] ?? assert.fail(), sequence)
    }
    for (const index of combinations.keys()) {
      await sendBoth('first', index)
      if (pause === undefined) await sendBoth('second', index)
    }
    if (pause !== undefined) {
      await advanceTime(api.pool, pause)
      for (const index of combinations.keys()) await sendBoth('second', index)
    }
    await assertOnlyExpectedMails(api, tried)
  })
}

/** Names of steps, times that pass, and `others`: two other strangers then go on with the same emails. */
const SEQUENCES = [
  `register, ${'verify, '.repeat(7)}resend, log in, 61 seconds, resend, verify`,
  `forgot, ${'check the code, '.repeat(7)}61 seconds, resend to reset, reset`,
  `register, ${'log in, '.repeat(12)}log in wrongly, 10 minutes, log in`,
  `${'log in wrongly, '.repeat(12)}register, log in, 2 hours, log in`,
  'register, 11 minutes, verify, resend, verify, 25 hours, log in, resend, register, log in',
  'register, others, register, others, register, 61 seconds, log in, others, register, log in',
  `${'register, log in, others, 5 minutes, '.repeat(11)}resend`,
  `${'forgot, others, 61 minutes, '.repeat(11)}check the code`,
].map((steps) => steps.split(', '))

test('longer sequences do not reveal accounts, with exhausted codes, lockouts, taken names and expiry', async (t) => {
  const api = await accountApi(t)
  const tried = await createPairs(api, SEQUENCES.length)
  const outcomes = new Set<string>()
  for (const [index, sequence] of SEQUENCES.entries()) {
    const pair = tried[index] ?? assert.fail()
    for (const [position, name] of sequence.entries()) {
      if (/^\d/.test(name)) await advanceTime(api.pool, name)
      else if (name === 'others') {
        for (const stranger of [pair.known, pair.unknown])
          Object.assign(stranger, { ip: freshIp(), cookie: undefined, username: `${stranger.username}x` })
      } else {
        const steps = sequence.slice(0, position + 1).join(', ')
        outcomes.add(await assertIndistinguishable(api, findStep(name), pair, steps))
      }
    }
  }
  const expected = '200 201 code_cooldown code_exhausted code_invalid credentials_invalid email_unverified'
  assert.equal([...outcomes].toSorted().join(' '), `${expected} rate_limited reset_token_invalid`)
  await assertOnlyExpectedMails(api, tried)
})

/** What may become of queued emails, as changes to their jobs. */
const MAIL_FATES = [
  { name: 'waiting', job: 'attempts = 0' },
  { name: 'deferred', job: `attempts = 1, last_error = '451', run_at = now() + interval '30 seconds'` },
  { name: 'refused', job: `dead_at = now(), last_error = '550 5.1.1'` },
  { name: 'handed over', job: 'done_at = now()' },
]
/** A minute and a half is longer than the cooldown of codes. */
const BACKDATE_CODES = `
  update codes set starts_at = starts_at - interval '90 seconds',
    expires_at = expires_at - interval '90 seconds'`

test('the state of mail delivery does not reveal accounts, whatever the mail server does', async (t) => {
  const api = await accountApi(t)
  const tried = await createPairs(api, STEPS.length)
  for (const [index, step] of STEPS.entries()) {
    const pair = tried[index] ?? assert.fail()
    const states: string[] = []
    for (const stranger of [pair.known, pair.unknown]) {
      await api.pool.query('delete from codes')
      await api.pool.query('delete from jobs')
      await send(api, step, stranger)
      for (const fate of MAIL_FATES) {
        await api.pool.query(`update jobs set ${fate.job}`)
        await api.pool.query(BACKDATE_CODES)
        const { text } = await api.call(mailFlow, { ip: stranger.ip })
        states.push(`${fate.name}: ${text}`)
      }
    }
    const [ofKnown, ofUnknown] = [states.slice(0, MAIL_FATES.length), states.slice(MAIL_FATES.length)]
    assert.deepEqual(ofUnknown, ofKnown, step.name)
    if (step.name === 'register') assert.match(states.join(), /"flow":"slow"/, 'its emails count')
  }
})

const WARM_UP_ROUNDS = 2
const SAMPLES = 12
const MAX_DIFFERENCE_MS = 5
/** The z score of a two-sided p of 0.0001. */
const SIGNIFICANT_Z = 3.9
const TIMED = ['register', 'log in', 'log in wrongly', 'forgot', 'resend'] as const

test('response times do not reveal accounts', async (t) => {
  const api = await testApi(t)
  api.deps.hasher = createPasswordHasher() // In other tests, a quick one.
  const times = await measure(api)
  for (const name of TIMED) {
    const { known, unknown } = times[name]
    const [one, other] = [median(known), median(unknown)]
    const z = rankSum(known, unknown)
    t.diagnostic(`${name}: ${one.toFixed(1)} and ${other.toFixed(1)} ms, z ${z.toFixed(1)}`)
    // Fails only if the medians differ by more than 5 ms and 5 %, and the rank-sum test is significant. A
    // busy machine does not cause that, but a missing password hash does: it takes 25 ms.
    const differs = Math.abs(one - other) > Math.max(MAX_DIFFERENCE_MS, 0.05 * Math.min(one, other))
    assert.ok(!differs || Math.abs(z) < SIGNIFICANT_Z, `${name}: ${one} and ${other} ms`)
  }
})

type Times = { known: number[]; unknown: number[] }

/** Interleaves the calls, alternating which comes first. Rounds that warm up do not count. */
async function measure(api: TestApi) {
  const times = Object.fromEntries(
    TIMED.map((name): [string, Times] => [name, { known: [], unknown: [] }]),
  ) as Record<(typeof TIMED)[number], Times>
  const tried = await createPairs(api, WARM_UP_ROUNDS + SAMPLES)
  for (const [round, pair] of tried.entries()) {
    const order = round % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const name of TIMED) {
      // Otherwise, the code for registering would be in its cooldown, and none would be resent.
      if (name === 'resend') await api.pool.query(`delete from codes`)
      for (const which of order) {
        const start = performance.now()
        await send(api, findStep(name), pair[which])
        if (round >= WARM_UP_ROUNDS) times[name][which].push(performance.now() - start)
      }
    }
  }
  return times
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return ((sorted[middle] ?? 0) + (sorted[sorted.length - 1 - middle] ?? 0)) / 2
}

/** The z score of the Mann-Whitney rank-sum test: far from 0 if one sample tends to be slower. */
function rankSum(ones: readonly number[], others: readonly number[]): number {
  const wins = ones.reduce((sum, one) => sum + others.filter((other) => one > other).length, 0)
  const pairsOfBoth = ones.length * others.length
  const deviation = Math.sqrt((pairsOfBoth * (ones.length + others.length + 1)) / 12)
  return (wins - pairsOfBoth / 2) / deviation
}
