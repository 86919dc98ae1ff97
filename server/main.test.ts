import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import path from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import pg from 'pg'
import { register } from '#contract/accounts/accounts.ts'
import { campaign, type Campaign } from '#contract/campaign.ts'
import { ownClaim } from '#contract/claims/claims.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { openEmbeddedPostgres } from './platform/database/embedded-postgres.ts'
import { SERVING_ROLE } from './platform/database/embedded/cluster.ts'
import { newToken } from './platform/secrets.ts'
import { twoRoles } from './testing/database/database.ts'
import { makeInitializedDataDir } from './testing/database/initialized-data-dir.ts'
import { isRunning, makeDataDir, startProgram, runCommand } from './testing/product.ts'
import { scratchFolder } from './testing/scratch-folder.ts'
import { until } from './testing/until.ts'

/** Asks over a new connection, which any of several workers may accept. */
const get = (url: string) => fetch(url, { headers: { connection: 'close' } })

/** Asserts that the program ends with this code (78: misconfigured) before it serves. @returns its output. */
async function startInVain(t: TestContext, env: Record<string, string>, code: number): Promise<string[]> {
  const { exited, output } = await startProgram(t, env)
  assert.deepEqual(await exited, { code, signal: null })
  return output
}

// Side by side, because they mostly wait for processes.
describe('the program', { concurrency: 4 }, () => {
  test('exits with 78 and one line per problem of the environment', async (t) => {
    const env = { NODE_ENV: 'production', PORT: 'many', LOG_LEVEL: 'loud' }
    const variables = (await startInVain(t, env, 78)).map((line) => line.split(' ')[0] ?? '')
    assert.deepEqual(variables.toSorted(), ['LOG_LEVEL', 'PORT', 'PUBLIC_URL', 'SMTP_URL'])
  })

  test('without SMTP_URL, refuses in one line to show its mailbox beyond this machine', async (t) => {
    const [line = '', ...others] = await startInVain(t, { HOST: '0.0.0.0' }, 78)
    assert.match(line, /^SMTP_URL is required with HOST=/)
    assert.deepEqual(others, [])
  })

  test('exits with 78 and one line when DATA_DIR is a file', async (t) => {
    const DATA_DIR = path.join(await makeDataDir(t), 'file')
    await writeFile(DATA_DIR, '')
    assert.deepEqual(await startInVain(t, { DATA_DIR }, 78), [
      `DATA_DIR ${DATA_DIR} cannot be used: it is a file, not a folder. Set DATA_DIR to a folder that this account may write to.`,
    ])
  })

  test('exits with 78 and one line per mistake in the campaign file', async (t) => {
    const file = path.join(await scratchFolder(t), 'campaign.mjs')
    await writeFile(file, 'export default { id: "x", name: "", surprise: 1 }')
    const output = await startInVain(t, { CAMPAIGN_CONFIG: file }, 78)
    for (const setting of ['id', 'name', 'surprise', 'token', 'airdrop'])
      assert.ok(
        output.some((line) => line.includes(`: ${setting} `)),
        `${setting} is missing in\n${output.join('\n')}`,
      )
  })

  test('an acknowledged write survives SIGKILL, and SIGHUP ends streams and stops the database', async (t) => {
    const DATA_DIR = await makeInitializedDataDir(t)
    const killed = await startProgram(t, { DATA_DIR })
    assert.equal(await tryRegister(killed.url, 'a'), 201)
    killed.signal('SIGKILL')
    await killed.exited

    const hungUp = await startProgram(t, { DATA_DIR })
    assert.equal(await tryRegister(hungUp.url, 'b'), 409, 'the name is still taken')
    // Even a stop that a request holds up has to end PostgreSQL.
    await holdUpStop(t, hungUp.url)
    const stream = await fetch(`${hungUp.url}${API_BASE}/events`)
    hungUp.signal('SIGHUP')
    await stream.text()
    assert.deepEqual(await hungUp.exited, { code: 0, signal: null })
    await untilDatabaseGone(DATA_DIR)
  })

  test('for DRAIN_SECONDS after SIGTERM reports not ready, but serves new connections', async (t) => {
    // With an external database: the program is killed below, which would leave an embedded one running.
    const env = { ...(await twoRoles(t)).env, DATA_DIR: await makeDataDir(t) }
    // 9 s are the longest drain. If a busy machine needs more for both requests, tries again.
    await until('both requests were sent within the drain', async () => {
      const program = await startProgram(t, { ...env, DRAIN_SECONDS: '9' })
      // On a busy machine, the readiness probe may need more than its second for the first connection.
      await until('the program is ready', async () => (await get(`${program.url}/readyz`)).status === 200)
      const drainEnd = Date.now() + 9_000
      program.signal('SIGTERM')
      try {
        await until(
          'the program is not ready',
          async () => (await get(`${program.url}/readyz`)).status === 503,
        )
        assert.equal((await get(`${program.url}${API_BASE}/campaign`)).status, 200, 'still serves')
        return true
      } catch (error) {
        if (Date.now() < drainEnd) throw error
        return false
      } finally {
        program.signal('SIGKILL')
      }
    })
  })

  test('workers serve together', async (t) => {
    const DATA_DIR = await makeInitializedDataDir(t)
    const WORKERS = 2
    // Three connections and one for the readiness probe per worker, and two for the main process.
    const limit = WORKERS * 4 + 2
    const program = await startProgram(t, {
      DATA_DIR,
      WORKERS: String(WORKERS),
      DATABASE_CONNECTIONS: String(limit),
      LOG_LEVEL: 'warn',
    })

    await t.test('share a port and the planned database connections', async () => {
      // PostgreSQL refuses any more.
      await limitConnections(DATA_DIR, limit)
      const statuses = new Set(await askAtOnce(program.url, 60))
      assert.ok(statuses.has(401), 'some requests have reached the database')
      // On a busy machine, some may time out waiting for the pool, but PostgreSQL must refuse none.
      for (const status of statuses) assert.ok([200, 401, 503].includes(status), String(status))
      assert.doesNotMatch(program.output.join('\n'), /too many connections/)
      await limitConnections(DATA_DIR, -1)
    })

    await t.test('both workers show a setting that a command has changed', async () => {
      const renamed = await runCommand('settings', ['set', 'name', 'Renamed'], { DATA_DIR })
      const out = 'Saved. A running site shows it within a second.\n'
      assert.deepEqual(renamed, { code: 0, out, err: '' })
      await until('both workers show the new name', async () => {
        const names = await Promise.all(Array.from({ length: 12 }, () => campaignName(program.url)))
        return names.every((name) => name === 'Renamed')
      })
    })

    await t.test('a killed worker is replaced, and SIGTERM ends all', async () => {
      const pids = new Set<number>()
      const haveAnswered = async (count: number) => {
        for (const pid of await workerPids(program.url)) pids.add(pid)
        return pids.size === count
      }
      await until('both workers have answered', () => haveAnswered(WORKERS))
      process.kill([...pids][0] ?? 0, 'SIGKILL')
      await until('a third worker has answered', () => haveAnswered(WORKERS + 1))
      program.signal('SIGTERM')
      assert.deepEqual(await program.exited, { code: 0, signal: null })
      for (const pid of pids) assert.ok(!isRunning(pid), `worker ${pid} still runs`)
      await untilDatabaseGone(DATA_DIR)
    })
  })

  test('stops the database when the secret that the workers would share is damaged', async (t) => {
    const DATA_DIR = await makeInitializedDataDir(t)
    await writeFile(path.join(DATA_DIR, 'app-secret'), 'short')
    const program = await startProgram(t, { DATA_DIR, WORKERS: '2' })
    assert.deepEqual(await program.exited, { code: 1, signal: null })
    assert.match(program.output.join('\n'), /app-secret is damaged/)
    await assert.rejects(readFile(pidFile(DATA_DIR)), { code: 'ENOENT' })
  })

  test('names a taken port and leaves nothing running', async (t) => {
    const port = await takePort(t)
    const DATA_DIR = await makeInitializedDataDir(t)
    const program = await startProgram(t, { DATA_DIR, PORT: String(port) })
    assert.equal((await program.exited).code, 1)
    await assert.rejects(readFile(pidFile(DATA_DIR)), { code: 'ENOENT' })
    assert.match(program.output.join('\n'), new RegExp(`Port ${port} is taken`))
  })
})

/** It exists while the PostgreSQL of the DATA_DIR runs. */
const pidFile = (dataDir: string) => path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid')

/** PostgreSQL is told to stop before the program ends. On a busy machine, it may end later. */
const untilDatabaseGone = (dataDir: string) =>
  until('the database is gone', () => !existsSync(pidFile(dataDir)))

async function takePort(t: TestContext): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  t.after(() => listener.close())
  return (listener.address() as AddressInfo).port
}

/** Sends a request whose body is never completed, so that a graceful stop is cut short. */
async function holdUpStop(t: TestContext, url: string): Promise<void> {
  const client = connect(Number(new URL(url).port), '127.0.0.1')
  t.after(() => client.destroy())
  client.on('error', () => {})
  await once(client, 'connect')
  client.write(
    `POST ${API_BASE}${register.path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n` +
      'expect: 100-continue\r\ncontent-length: 100\r\n\r\n{',
  )
  await once(client, 'data')
}

/** Registers the same username with another email. @returns the status. */
async function tryRegister(url: string, emailName: string): Promise<number> {
  const body = { username: 'alice', email: `${emailName}@mail.example`, password: 'correct horse battery' }
  const response = await fetch(url + API_BASE + register.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.status
}

async function workerPids(url: string): Promise<number[]> {
  const answers = Array.from({ length: 24 }, () => processOf(url).catch(() => 0))
  return (await Promise.all(answers)).filter((pid) => pid !== 0)
}

async function processOf(url: string): Promise<number> {
  const text = await (await get(`${url}/metrics`)).text()
  return Number(/^process_id (\d+)$/m.exec(text)?.[1] ?? 0)
}

async function campaignName(url: string): Promise<string> {
  const answer = await get(url + API_BASE + campaign.path)
  return ((await answer.json()) as { data: Campaign }).data.name
}

/** Sends requests at once that each cost a query. @returns their statuses. */
function askAtOnce(url: string, count: number): Promise<number[]> {
  // Only the database can tell that no session has this token.
  const headers = { authorization: `Bearer ${newToken()}`, connection: 'close' }
  const ask = async (route: string) => (await fetch(url + route, { headers })).status
  return Promise.all(
    Array.from({ length: count }, (_, index) => ask(index % 3 === 0 ? '/readyz' : API_BASE + ownClaim.path)),
  )
}

/** Limits the serving role's connections to a running database; -1 lifts the limit. */
async function limitConnections(dataDir: string, limit: number): Promise<void> {
  // Uses the PostgreSQL that the program has started.
  const { ownerUrl } = await openEmbeddedPostgres({ dataDir, log: () => {} })
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query(`alter role ${SERVING_ROLE} connection limit ${limit}`).finally(() => client.end())
}
