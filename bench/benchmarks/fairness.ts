import campaign from '#server/testing/campaign.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createPasswordHasher } from '#server/platform/passwords/password-hash.ts'
import { seedParticipants } from '#server/domain/seed/seed-participants.ts'
import { callerAddress, type LoadResult, rawRequest, runLoad, startLoad } from '../load/load.ts'
import { residentMb, startProduct } from '../product.ts'
import type { Options, Report, Row } from '../report.ts'
import { withDatabase } from '../temporary-database.ts'

const CONNECTIONS = 800
const PEOPLE = 300
const PASSWORD = 'correct horse battery staple'
/** From ranges that are reserved for documentation and benchmarks. */
const LOAD_ADDRESS = '203.0.113.7'
const VISITOR_ADDRESS = '198.19.0.1'

/** Measures other visitors' latency while one address keeps many connections busy. Takes two minutes. */
export function fairness({ quick }: Options): Promise<Report> {
  const seconds = quick ? 3 : 15
  return withDatabase(async ({ db, url, lifetime }) => {
    const { port, pid } = await startProduct(lifetime, url, { LOG_LEVEL: 'fatal' })
    const emails = await seed(db)
    const from = LOAD_ADDRESS
    const token = await logIn(port, emails.pop() ?? '', from)
    const row = (load: string, request?: string) => measure({ port, pid, emails, seconds }, load, request)
    const rows = [
      await row('none'),
      await row('home page', rawRequest('/', { from })),
      await row('leaderboard', rawRequest('/api/v1/users/leaderboard', { from })),
      await row('own profile', rawRequest('/api/v1/users/profile', { from, token })),
      await row('own claim', rawRequest('/api/v1/tasks/mine', { from, token })),
      await row('logins', rawRequest('/api/v1/users/login', { from, body: UNKNOWN_LOGIN })),
    ]
    return { title: `${CONNECTIONS} connections from one address, ${seconds} s each`, rows, notes: NOTES }
  })
}

const NOTES = [
  'Latencies in milliseconds of other visitors, each with an address of their own: 20 calls/s of /readyz and a profile, 5 logins/s. Any status but 200 counts as failed.',
  'Load, visitors, database and product share the machine.',
]

const UNKNOWN_LOGIN = { email: 'nobody@mail.example', password: 'not a password' }

async function seed(db: Database): Promise<string[]> {
  await seedParticipants({ db, campaign, passwordHash: await createPasswordHasher().hash(PASSWORD) }, PEOPLE)
  const people = await db.selectFrom('users').select('email').execute()
  return people.map(({ email }) => email)
}

/** `emails`: the accounts of visitors, who log in while the load runs for these seconds. */
type MeasureOptions = { port: number; pid: number; emails: readonly string[]; seconds: number }

async function measure(
  { port, pid, emails, seconds }: MeasureOptions,
  load: string,
  request?: string,
): Promise<Row> {
  const token = await logIn(port, emails[0] ?? '', VISITOR_ADDRESS)
  const running = request
    ? await startLoad({ port, connections: CONNECTIONS, requests: [request] })
    : undefined
  const visit = (rate: number, requests: readonly string[]) =>
    runLoad({ port, connections: 20, requests, rate, warmUpSeconds: 1, seconds })
  const [readyz, logins, profiles] = await Promise.all([
    visit(20, [rawRequest('/readyz')]),
    visit(5, emails.map(loginOf)),
    visit(20, [rawRequest('/api/v1/users/profile', { token, from: VISITOR_ADDRESS })]),
  ])
  const result = await running?.stop()
  const succeededPerSecond = (result?.statuses['200'] ?? 0) / (result?.seconds ?? 1)
  return {
    load,
    '200/s': Math.round(succeededPerSecond),
    'other statuses/s': Math.round((result?.perSecond ?? 0) - succeededPerSecond),
    ...columns('/readyz', readyz),
    ...columns('login', logins),
    ...columns('profile', profiles),
    'node, MB': Math.round(await residentMb(pid)),
  }
}

function columns(what: string, { p50, p99, statuses }: LoadResult): Row {
  const { 200: _succeeded, ...failures } = statuses
  return {
    [`${what} p50`]: Math.round(p50),
    [`${what} p99`]: Math.round(p99),
    [`${what} failed`]: Object.values(failures).reduce((sum, count) => sum + count, 0),
  }
}

let callerCount = 0

/** Each login comes from another network. */
function loginOf(email: string): string {
  callerCount += 1
  return rawRequest('/api/v1/users/login', {
    body: { email, password: PASSWORD },
    from: callerAddress(callerCount),
  })
}

async function logIn(port: number, email: string, from: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  if (answer.status !== 200) throw new Error(await answer.text())
  return ((await answer.json()) as { token: string }).token
}
