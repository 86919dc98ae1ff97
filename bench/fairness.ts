import { Agent, request as httpRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import campaign from '#server/testing/campaign.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createPasswordHasher } from '#server/platform/password-hash.ts'
import { seedParticipants } from '#server/domain/seed/seed-participants.ts'
import { makeDataDir, run } from '#server/testing/product.ts'
import type { LoadOptions } from './load-worker.ts'
import type { Report, Row } from './report.ts'
import { quantile } from './stopwatch.ts'
import { withDatabase } from './temporary-database.ts'

const CONNECTIONS = 800
const SECONDS = 15
const PEOPLE = 300
const PASSWORD = 'correct horse battery staple'
/** Documentation and benchmark addresses: of the load, and of another visitor. */
const LOAD_ADDRESS = '203.0.113.7'
const READER_ADDRESS = '198.19.0.1'
const NOWHERE = 'http://127.0.0.1:9'

/** Measures the latency that others see while one address keeps many connections busy, on the whole product. */
export function fairness(): Promise<Report> {
  return withDatabase(async ({ db, url, lifetime }) => {
    const product = await run(lifetime, {
      DATABASE_URL: url,
      DATA_DIR: await makeDataDir(lifetime),
      TRUST_PROXY: 'loopback',
      LOG_LEVEL: 'fatal',
      PRICE_API_URL: NOWHERE,
      CHAIN_RPC_URL: NOWHERE,
      OEMBED_URL: NOWHERE,
      TELEGRAM_API_URL: NOWHERE,
    })
    if (product.url === '') throw new Error(product.output.join('\n'))
    const port = Number(new URL(product.url).port)
    const emails = await seed(db)
    const token = await logIn(port, emails.pop() ?? '', LOAD_ADDRESS)
    const rows = [
      await measure(port, emails, 'none', undefined),
      await measure(port, emails, 'home page', requestFor('/')),
      await measure(port, emails, 'leaderboard', requestFor('/api/v1/users/leaderboard')),
      await measure(port, emails, 'own profile', requestFor('/api/v1/users/profile', token)),
      await measure(port, emails, 'own claim', requestFor('/api/v1/tasks/mine', token)),
      await measure(port, emails, 'logins', requestFor('/api/v1/users/login', '', UNKNOWN_LOGIN)),
    ]
    return { title: `${CONNECTIONS} connections from one address, ${SECONDS} s each`, rows, notes: NOTES }
  })
}

const NOTES = [
  'Latencies in milliseconds of other visitors, each with an address of their own. Any status but 200 counts as failed.',
  'Load, visitors, database and product share the machine.',
]

const UNKNOWN_LOGIN = JSON.stringify({ email: 'nobody@mail.example', password: 'not a password' })

function requestFor(path: string, token = '', body = ''): string {
  return [
    `${body === '' ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    'host: localhost',
    `x-forwarded-for: ${LOAD_ADDRESS}`,
    ...(token === '' ? [] : [`authorization: Bearer ${token}`]),
    ...(body === '' ? [] : ['content-type: application/json', `content-length: ${body.length}`]),
    '',
    body,
  ].join('\r\n')
}

async function seed(db: Database): Promise<string[]> {
  await seedParticipants({ db, campaign, passwordHash: await createPasswordHasher().hash(PASSWORD) }, PEOPLE)
  const people = await db.selectFrom('users').select('email').execute()
  return people.map(({ email }) => email)
}

async function measure(
  port: number,
  emails: readonly string[],
  load: string,
  request: string | undefined,
): Promise<Row> {
  const token = await logIn(port, emails[0] ?? '', READER_ADDRESS)
  const stopLoad =
    request === undefined ? undefined : await startLoad({ port, connections: CONNECTIONS, request })
  const until = performance.now() + SECONDS * 1_000
  let visitor = 0
  const [ready, logins, profiles] = await Promise.all([
    repeatedly(until, 50, () => timed(port, { path: '/readyz' })),
    repeatedly(until, 200, () => {
      visitor += 1
      const body = { email: emails[visitor % emails.length], password: PASSWORD }
      return timed(port, { path: '/api/v1/users/login', body, from: newAddress() })
    }),
    repeatedly(until, 50, () => timed(port, { path: '/api/v1/users/profile', token, from: READER_ADDRESS })),
  ])
  const served = (await stopLoad?.()) ?? {}
  return {
    load,
    '200/s': Math.round((served['200'] ?? 0) / SECONDS),
    'other statuses/s': Math.round(
      Object.entries(served).reduce((sum, [status, n]) => (status === '200' ? sum : sum + n), 0) / SECONDS,
    ),
    ...columns('/readyz', ready),
    ...columns('login', logins),
    ...columns('profile', profiles),
  }
}

const columns = (what: string, all: readonly Timed[]) => ({
  [`${what} p50`]: Math.round(
    quantile(
      all.map(({ ms }) => ms),
      0.5,
    ),
  ),
  [`${what} p99`]: Math.round(
    quantile(
      all.map(({ ms }) => ms),
      0.99,
    ),
  ),
  [`${what} failed`]: all.filter(({ status }) => status !== 200).length,
})

let addresses = 0
function newAddress(): string {
  addresses += 1
  return `198.18.${(addresses >> 8) & 255}.${addresses & 255}`
}

/** @returns a function that stops the load and returns the number of responses by status. */
async function startLoad(options: LoadOptions): Promise<() => Promise<Record<string, number>>> {
  const worker = new Worker(new URL('./load-worker.ts', import.meta.url), { workerData: options })
  await pause(1_000)
  return () =>
    new Promise((resolve) => {
      worker.once('message', resolve)
      worker.postMessage('stop')
    })
}

type Timed = { ms: number; status: number; text: string }

async function repeatedly(until: number, pauseMs: number, once: () => Promise<Timed>): Promise<Timed[]> {
  const all: Timed[] = []
  while (performance.now() < until) {
    all.push(await once())
    await pause(pauseMs)
  }
  return all
}

const agent = new Agent({ keepAlive: true })

type Call = { path: string; token?: string; body?: unknown; from?: string }

function timed(port: number, { path, token, body, from }: Call): Promise<Timed> {
  const startedAt = performance.now()
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    ...(from === undefined ? {} : { 'x-forwarded-for': from }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const method = payload === undefined ? 'GET' : 'POST'
  return new Promise((resolve) => {
    const settle = (status: number, text: string) =>
      resolve({ ms: performance.now() - startedAt, status, text })
    const call = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)))
      response.on('end', () => settle(response.statusCode ?? 0, text))
    })
    call.on('error', () => settle(0, ''))
    call.end(payload)
  })
}

async function logIn(port: number, email: string, from: string): Promise<string> {
  const { status, text } = await timed(port, {
    path: '/api/v1/users/login',
    body: { email, password: PASSWORD },
    from,
  })
  if (status !== 200) throw new Error(text)
  return (JSON.parse(text) as { token: string }).token
}
