import { Agent, request as httpRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import campaign from '#campaign'
import type { Database } from '#server/platform/database.ts'
import { createPasswordHasher } from '#server/platform/password-hash.ts'
import { seedParticipants } from '#server/seed/seed-participants.ts'
import { makeDataDir, run } from '#server/testing/product.ts'
import type { CrowdOrder } from './crowd.ts'
import type { Report, Row } from './report.ts'
import { quantile } from './stopwatch.ts'
import { withDatabase } from './temporary-database.ts'

const CONNECTIONS = 800
const SECONDS = 15
const PEOPLE = 300
const PASSWORD = 'correct horse battery staple'
/** Networks that are nobody's: the crowd, and one of the others. */
const CROWD = '203.0.113.7'
const READER = '198.19.0.1'
const NOWHERE = 'http://127.0.0.1:9'

/** What others notice of one address with many connections, on the whole product as it is started. */
export function fairness(): Promise<Report> {
  return withDatabase(async ({ db, url }) => {
    const ends: (() => Promise<void>)[] = []
    const life = { after: (end: () => Promise<void>) => void ends.push(end) }
    try {
      const product = await run(life, {
        DATABASE_URL: url,
        DATA_DIR: await makeDataDir(life),
        TRUST_PROXY: 'loopback',
        LOG_LEVEL: 'fatal',
        PRICE_API_URL: NOWHERE,
        CHAIN_RPC_URL: NOWHERE,
        OEMBED_URL: NOWHERE,
        TELEGRAM_API_URL: NOWHERE,
      })
      if (product.url === '') throw new Error(product.output.join('\n'))
      const port = Number(new URL(product.url).port)
      const emails = await plantPeople(db)
      const token = await logIn(port, emails.pop() ?? '', CROWD)
      const rows = [
        await measure(port, emails, 'nobody else', undefined),
        await measure(port, emails, 'the home page', ask('/')),
        await measure(port, emails, 'the board', ask('/api/v1/users/leaderboard')),
        await measure(port, emails, 'an own profile', ask('/api/v1/users/profile', token)),
        await measure(port, emails, 'an own claim', ask('/api/v1/tasks/mine', token)),
        await measure(port, emails, 'logins', ask('/api/v1/users/login', '', LOGIN_OF_NOBODY)),
      ]
      return { title: `${CONNECTIONS} connections of one address, ${SECONDS} s each`, rows, notes: NOTES }
    } finally {
      for (const end of ends) await end()
    }
  })
}

const NOTES = [
  'Milliseconds that others wait, each from an address of its own; p99. What was not answered with 200 is counted as failed.',
  'The crowd, the others, the database and the product share the machine.',
]

const LOGIN_OF_NOBODY = JSON.stringify({ email: 'nobody@mail.example', password: 'not a password' })

function ask(path: string, token = '', body = ''): string {
  return [
    `${body === '' ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    'host: localhost',
    `x-forwarded-for: ${CROWD}`,
    ...(token === '' ? [] : [`authorization: Bearer ${token}`]),
    ...(body === '' ? [] : ['content-type: application/json', `content-length: ${body.length}`]),
    '',
    body,
  ].join('\r\n')
}

async function plantPeople(db: Database): Promise<string[]> {
  await seedParticipants({ db, campaign, passwordHash: await createPasswordHasher().hash(PASSWORD) }, PEOPLE)
  const people = await db.selectFrom('users').select('email').execute()
  return people.map(({ email }) => email)
}

async function measure(
  port: number,
  emails: readonly string[],
  what: string,
  crowdAsks: string | undefined,
): Promise<Row> {
  const token = await logIn(port, emails[0] ?? '', READER)
  const crowd =
    crowdAsks === undefined ? undefined : await gather({ port, connections: CONNECTIONS, request: crowdAsks })
  const until = performance.now() + SECONDS * 1_000
  let stranger = 0
  const [ready, logins, profiles] = await Promise.all([
    repeatedly(until, 50, () => timed(port, { path: '/readyz' })),
    repeatedly(until, 200, () => {
      stranger += 1
      const body = { email: emails[stranger % emails.length], password: PASSWORD }
      return timed(port, { path: '/api/v1/users/login', body, from: newAddress() })
    }),
    repeatedly(until, 50, () => timed(port, { path: '/api/v1/users/profile', token, from: READER })),
  ])
  const served = (await crowd?.()) ?? {}
  return {
    'the crowd asks for': what,
    'answers/s': Math.round((served['200'] ?? 0) / SECONDS),
    'others/s': Math.round(
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
/** An address that nobody had before. */
function newAddress(): string {
  addresses += 1
  return `198.18.${(addresses >> 8) & 255}.${addresses & 255}`
}

/** @returns how to end it, with the number of answers by their status. */
async function gather(order: CrowdOrder): Promise<() => Promise<Record<string, number>>> {
  const worker = new Worker(new URL('./crowd.ts', import.meta.url), { workerData: order })
  await pause(1_000)
  return () =>
    new Promise((resolve) => {
      worker.once('message', resolve)
      worker.postMessage('end')
    })
}

type Timed = { ms: number; status: number; text: string }

async function repeatedly(until: number, every: number, once: () => Promise<Timed>): Promise<Timed[]> {
  const all: Timed[] = []
  while (performance.now() < until) {
    all.push(await once())
    await pause(every)
  }
  return all
}

const agent = new Agent({ keepAlive: true })

type Given = { path: string; token?: string; body?: unknown; from?: string }

function timed(port: number, { path, token, body, from }: Given): Promise<Timed> {
  const begin = performance.now()
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    ...(from === undefined ? {} : { 'x-forwarded-for': from }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const method = payload === undefined ? 'GET' : 'POST'
  return new Promise((resolve) => {
    const end = (status: number, text: string) => resolve({ ms: performance.now() - begin, status, text })
    const call = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)))
      response.on('end', () => end(response.statusCode ?? 0, text))
    })
    call.on('error', () => end(0, ''))
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
