import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as accounts from '#contract/accounts.ts'
import { ENDPOINTS } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { login } from '#contract/sessions.ts'
import { accountApi, type AccountApi, keptOf } from './testing/account-api.ts'
import { type Answer, testApi, type TestApi } from './testing/api.ts'
import { freshIp } from './testing/fresh-ip.ts'
import { comparable } from './testing/comparable.ts'
import { members } from './testing/members.ts'
import { advanceTime } from './testing/advance-time.ts'

/** A stranger who tries an e-mail: from one network, in one browser, with a password of their own. */
type Stranger = { email: string; username: string; ip: string; cookie?: string }

const OWN = 'the passphrase of a stranger'
const WRONG = 'the passphrase of nobody'

type Step = { name: string; endpoint: Endpoint; body: (who: Stranger) => Record<string, unknown> }

/** Everything that anybody may call about an e-mail. */
const STEPS: Step[] = [
  {
    name: 'register',
    endpoint: accounts.register,
    body: ({ email, username }) => ({ username, email, password: OWN }),
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
    body: ({ email }) => ({ email, newPassword: OWN, resetPasswordToken: 'A'.repeat(43) }),
  },
  { name: 'log in', endpoint: login, body: ({ email }) => ({ email, password: OWN }) },
  { name: 'log in wrongly', endpoint: login, body: ({ email }) => ({ email, password: WRONG }) },
]
const step = (name: string): Step => STEPS.find((one) => one.name === name) ?? assert.fail(name)

async function take(api: TestApi, { endpoint, body }: Step, who: Stranger): Promise<Answer> {
  const { ip, cookie } = who
  const answer = await api.call(endpoint, { ip, body: body(who), ...(cookie ? { headers: { cookie } } : {}) })
  assert.ok(answer.status < 500, `${endpoint.path}: ${answer.text}`)
  if (answer.headers['set-cookie'] !== undefined) who.cookie = keptOf(answer)
  return answer
}

/** A stranger to a known e-mail and one to an unknown one, alike but for that; both may come again as others. */
type Pair = { known: Stranger; unknown: Stranger }

async function pairs(api: TestApi, count: number): Promise<Pair[]> {
  const people = await members(api, count)
  return people.map(({ email }, index) => ({
    known: { email, username: `known.${index}`, ip: freshIp() },
    unknown: { email: `u${index}@mail.example`, username: `other.${index}`, ip: freshIp() },
  }))
}

/** What they see of both answers is the same, byte by byte; so are the seconds of Retry-After, but for the call's own. */
async function assertAlike(
  api: AccountApi,
  next: Step,
  { known, unknown }: Pair,
  story: string,
): Promise<string> {
  const seen = [await take(api, next, known), await take(api, next, unknown)] as const
  assert.equal(comparable(seen[0]), comparable(seen[1]), story)
  const [one, other] = seen.map(({ headers }) => Number(headers['retry-after'] ?? 0))
  assert.ok(Math.abs((one ?? 0) - (other ?? 0)) <= 2, `${story}: retry after ${one} and ${other} s`)
  return seen[0].body.code ?? String(seen[0].status)
}

/** Who caused a mail must not be able to read it: all go to the e-mails that were tried, and hold no code for an account. */
async function assertMailsStay(api: AccountApi, tried: readonly Pair[]) {
  const { rows } = await api.pool.query<{ to: string; template: string }>(
    `select payload->>'to' as to, payload->>'template' as template from jobs where kind = 'mail'`,
  )
  const known = new Set(tried.map((pair) => pair.known.email))
  const unknown = new Set(tried.map((pair) => pair.unknown.email))
  assert.ok(rows.length > 0)
  for (const { to, template } of rows) {
    assert.ok(known.has(to) || unknown.has(to), `a mail to ${to}`)
    const fitting = known.has(to) ? ['account-exists', 'reset-password'] : ['verify-email']
    assert.ok(fitting.includes(template), `${template} to ${to}`)
  }
}

test('the walk below knows every public call about an e-mail', () => {
  const aboutEmail = ENDPOINTS.filter(({ access, method }) => access === 'public' && method === 'POST')
  assert.deepEqual(
    aboutEmail.map(({ path }) => path).toSorted(),
    [...new Set(STEPS.map(({ endpoint }) => endpoint.path))].toSorted(),
  )
})

for (const between of ['at once', '61 seconds later']) {
  test(`no two calls tell a known from an unknown e-mail, the second ${between}`, async (t) => {
    const api = await accountApi(t)
    const walks = STEPS.flatMap((first) => STEPS.map((second) => ({ first, second })))
    const tried = await pairs(api, walks.length)
    const each = async (which: 'first' | 'second') => {
      for (const [index, walk] of walks.entries()) {
        const story = `${walk.first.name}, then ${walk.second.name} ${between}: the ${which} call`
        await assertAlike(api, walk[which], tried[index] ?? assert.fail(), story)
      }
    }
    await each('first')
    if (between !== 'at once') await advanceTime(api.pool, '61 seconds')
    await each('second')
    await assertMailsStay(api, tried)
  })
}

const STORIES: string[][] = [
  [
    'register',
    ...Array.from({ length: 7 }, () => 'verify'),
    'resend',
    'log in',
    '61 seconds',
    'resend',
    'verify',
  ],
  ['forgot', ...Array.from({ length: 7 }, () => 'check the code'), '61 seconds', 'resend to reset', 'reset'],
  ['register', ...Array.from({ length: 12 }, () => 'log in'), 'log in wrongly', '10 minutes', 'log in'],
  [...Array.from({ length: 12 }, () => 'log in wrongly'), 'register', 'log in', '2 hours', 'log in'],
  [
    'register',
    '11 minutes',
    'verify',
    'resend',
    'verify',
    '25 hours',
    'log in',
    'resend',
    'register',
    'log in',
  ],
  [
    'register',
    'others',
    'register',
    'others',
    'register',
    '61 seconds',
    'log in',
    'others',
    'register',
    'log in',
  ],
  [...Array.from({ length: 11 }, () => ['register', 'log in', 'others', '5 minutes']).flat(), 'resend'],
  [...Array.from({ length: 11 }, () => ['forgot', 'others', '61 minutes']).flat(), 'check the code'],
]
test('nor do longer stories: codes guessed at and used up, locks, places that are taken, what expires', async (t) => {
  const api = await accountApi(t)
  const tried = await pairs(api, STORIES.length)
  const met = new Set<string>()
  for (const [index, story] of STORIES.entries()) {
    const pair = tried[index] ?? assert.fail()
    for (const [at, name] of story.entries()) {
      if (/^\d/.test(name)) await advanceTime(api.pool, name)
      else if (name === 'others') {
        for (const who of [pair.known, pair.unknown])
          Object.assign(who, { ip: freshIp(), cookie: undefined, username: `${who.username}x` })
      } else met.add(await assertAlike(api, step(name), pair, story.slice(0, at + 1).join(', ')))
    }
  }
  const expected =
    '200 201 code_cooldown code_exhausted code_invalid credentials_invalid email_unverified rate_limited'
  assert.equal([...met].toSorted().join(' '), `${expected} reset_token_invalid`)
  await assertMailsStay(api, tried)
})

const SAMPLES = 12
const MILLISECONDS = 5
const TIMED = ['register', 'log in', 'log in wrongly', 'forgot', 'resend'] as const

test('nor does the time of a call', async (t) => {
  const api = await testApi(t)
  const times = await measure(api)
  for (const name of TIMED) {
    const { known, unknown } = times[name]
    const [one, other] = [median(known), median(unknown)]
    const apart = Math.abs(one - other)
    t.diagnostic(
      `${name}: ${one.toFixed(1)} and ${other.toFixed(1)} ms, z ${rankSum(known, unknown).toFixed(1)}`,
    )
    // Both at once, so that a busy machine fails nothing: medians that differ by more than 5 ms and by more than 5 %,
    // and a rank-sum test that is sure of it (two-sided p < 0.0001). A hashing more or less takes 25 ms and fails.
    const differs = apart > Math.max(MILLISECONDS, 0.05 * Math.min(one, other))
    assert.ok(!differs || Math.abs(rankSum(known, unknown)) < 3.9, `${name}: ${one} and ${other} ms`)
  }
})

/** Interleaved: one of each at a time, in turns who comes first. The first two rounds warm up and do not count. */
async function measure(api: TestApi) {
  const timed = () => ({ known: [] as number[], unknown: [] as number[] })
  const times = Object.fromEntries(TIMED.map((name) => [name, timed()])) as Record<
    (typeof TIMED)[number],
    ReturnType<typeof timed>
  >
  const tried = await pairs(api, SAMPLES + 2)
  for (const [round, pair] of tried.entries()) {
    if (round === 2) for (const name of TIMED) times[name] = timed()
    const order = round % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const name of TIMED) {
      // Otherwise what is asked for first would refuse the next.
      if (name === 'resend') await api.pool.query(`delete from codes`)
      for (const which of order) {
        const start = performance.now()
        await take(api, step(name), pair[which])
        times[name][which].push(performance.now() - start)
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

/** The z score of Wilcoxon's rank-sum test (Mann-Whitney): far from 0 where one of the two tends to be slower. */
function rankSum(ones: readonly number[], others: readonly number[]): number {
  const wins = ones.reduce((sum, one) => sum + others.filter((other) => one > other).length, 0)
  const pairsOfBoth = ones.length * others.length
  const deviation = Math.sqrt((pairsOfBoth * (ones.length + others.length + 1)) / 12)
  return (wins - pairsOfBoth / 2) / deviation
}
