import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { ownClaim, submitProof } from '#contract/claims/claims.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import {
  inTransaction,
  isUnavailable,
  openDatabase,
  openPool,
  TIMEOUTS_MS,
  type Tx,
} from '../platform/database/database.ts'
import { newToken } from '../platform/secrets.ts'
import { testApi } from '../testing/api.ts'
import { createUsers } from '../testing/builders/create-users.ts'
import { freshProof } from '../testing/builders/proof.ts'
import { testDatabase } from '../testing/database/database.ts'
import { databaseProxy } from '../testing/fakes/database-proxy.ts'
import { makeInitializedDataDir } from '../testing/database/initialized-data-dir.ts'
import { isRunning, startProgram, type RunningProgram } from '../testing/product.ts'
import { until } from '../testing/until.ts'

/** No session has this token, as only the database can tell. So no call is answered from memory. */
const headers = { connection: 'close', authorization: `Bearer ${newToken()}` }
const get = (url: string) => fetch(url, { headers, signal: AbortSignal.timeout(60_000) })

test('the program answers 503 with Retry-After while its database is down, and recovers', async (t) => {
  const program = await startProgram(t, { DATA_DIR: await makeInitializedDataDir(t) })
  const profile = `${program.url}${API_BASE}/users/profile`
  assert.equal((await get(profile)).status, 401)

  const [postmaster = 0] = childrenOf(program.pid)
  const refused = await getDuringOutage(program, postmaster, profile)
  assert.equal(refused.statusCode, 503)
  assert.equal((await get(`${program.url}/healthz`)).status, 200)
  assert.ok(Number(refused.headers['retry-after']) >= 1)
  const body = (await json(refused)) as Record<string, unknown>
  assert.equal(body['code'], 'unavailable')
  assert.doesNotMatch(JSON.stringify(body), /postgres|socket|sql|ECONN|\//i)

  await until('the program is ready', async () => (await get(`${program.url}/readyz`)).status === 200)
  assert.equal((await get(profile)).status, 401)
  assert.notEqual(childrenOf(program.pid)[0], postmaster)
})

/**
 * Kills the database and sends a request while the program is suspended, so that the request meets the
 * outage. Polling could miss the whole outage, because the program restarts PostgreSQL within 200 ms.
 */
async function getDuringOutage(
  program: RunningProgram,
  postmaster: number,
  url: string,
): Promise<IncomingMessage> {
  program.signal('SIGSTOP')
  const backends = childrenOf(postmaster)
  process.kill(postmaster, 'SIGKILL')
  await until('all of its backends have ended', () => !backends.some(isRunning))
  const request = httpGet(url, { agent: false, headers })
  const response = once(request, 'response') as Promise<[IncomingMessage]>
  await once(request, 'finish')
  program.signal('SIGCONT')
  return (await response)[0]
}

/** The program has one child, its PostgreSQL, whose children are the backends. */
function childrenOf(pid: number): number[] {
  const pids = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  return pids.trim().split(/\s+/).map(Number)
}

/** On fake timers: time passes only by `tick`, so that a slow answer of a busy machine does not time out. */
const TIMEOUT_MS = 6_000
const POOL_SIZE = 6

test('waiting for a connection and its answer takes at most five seconds', () => {
  assert.ok(TIMEOUTS_MS.connection <= 2_000)
  assert.ok(TIMEOUTS_MS.connection + TIMEOUTS_MS.answer <= 5_000)
})

async function poolThroughProxy(t: TestContext, max: number) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { url, pool: directPool } = await testDatabase(t)
  const proxy = await databaseProxy(t, url)
  const errors: string[] = []
  const report = (error: Error) => errors.push(error.message)
  const pool = openPool(proxy.url, { onError: report, max, timeoutMs: TIMEOUT_MS })
  t.after(() => pool.end())
  /** Asserts that a query fails once its answer has been dropped and the timeout has passed. */
  const assertLost = async (query: () => Promise<unknown>) => {
    const answerDropped = proxy.nextDrop()
    const lost = assert.rejects(query(), isUnavailable)
    await answerDropped
    t.mock.timers.tick(TIMEOUT_MS)
    await lost
  }
  return { pool, proxy, errors, directPool, assertLost }
}

test('a transaction whose connection was ended fails with the reason for that, not with the failed rollback', async (t) => {
  const { db } = await testDatabase(t)
  const end = (tx: Tx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
  await assert.rejects(inTransaction(db, end), { code: '57P01' }) // admin_shutdown
})

test('after a firewall forgets the connections, one query fails and no connection is reused', async (t) => {
  const { pool, proxy, errors, assertLost } = await poolThroughProxy(t, POOL_SIZE)
  const db = openDatabase(pool)
  const ask = () => db.transaction().execute((tx) => sql`select pg_sleep(0.01)`.execute(tx))
  await Promise.all(Array.from({ length: POOL_SIZE }, ask))
  assert.equal(pool.totalCount, POOL_SIZE)

  proxy.freeze()
  assert.equal(proxy.frozenCount(), POOL_SIZE)
  await assertLost(ask)
  for (let count = 0; count < 3 * POOL_SIZE; count += 1) await ask()
  await Promise.all(Array.from({ length: 3 * POOL_SIZE }, ask))
  assert.equal(proxy.frozenCount(), 0)
  assert.equal(pool.totalCount, POOL_SIZE)
  assert.equal(errors.length, 1, errors.join('\n'))
})

test('a connection that broke in use is not counted among the idle ones that the pool closes', async (t) => {
  const { pool, proxy, errors, directPool, assertLost } = await poolThroughProxy(t, 1)
  const broken = await pool.connect()
  const { rows } = await broken.query<{ pid: number }>('select pg_backend_pid() as pid')
  const ended = new Promise((resolve) => broken.once('end', resolve))
  await directPool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await ended
  broken.release()
  await pool.query('select 1')
  proxy.freeze()
  await assertLost(() => pool.query('select 1'))
  // Reported about the connection that the pool opened in place of the broken one.
  assert.deepEqual(errors, ['it did not answer; it was closed, together with 0 idle ones'])
})

test('a connection that the server terminates while the pool ends is not reported', async (t) => {
  const { url } = await testDatabase(t)
  const errors: string[] = []
  const pool = openPool(url, {
    onError: (error) => errors.push(error.message),
    max: 1,
    timeoutMs: TIMEOUT_MS,
  })
  const client = await pool.connect()
  client.release()
  const ended = pool.end()
  client.emit('error', new Error('terminating connection due to administrator command'))
  await ended
  assert.deepEqual(errors, [])
})

test('when connections freeze, each query under way fails once, and later ones succeed', async (t) => {
  const { pool, proxy } = await poolThroughProxy(t, POOL_SIZE)
  const clients = await Promise.all(Array.from({ length: POOL_SIZE }, () => pool.connect()))
  proxy.freeze()
  const lost = clients.map((client) => assert.rejects(client.query('select 1'), isUnavailable))
  t.mock.timers.tick(TIMEOUT_MS)
  await Promise.all(lost)
  for (const client of clients) client.release()
  await pool.query('select 1')
  assert.equal(proxy.frozenCount(), 0)
})

test('after a failover, a write on the demoted server gets one 503, and no connection to it is reused', async (t) => {
  const api = await testApi(t, { max: POOL_SIZE })
  const participants = await createUsers(api.db, api.deps.campaign.id, 3)
  const demoted = await Promise.all(Array.from({ length: POOL_SIZE }, () => api.pool.connect()))
  for (const client of demoted) await client.query('set default_transaction_read_only = on')
  for (const client of demoted) client.release()
  assert.equal(api.pool.idleCount, POOL_SIZE)
  const submit = async (index: number) =>
    api.call(submitProof, { token: participants[index]?.token, body: freshProof() })
  const refused = await submit(0)
  assert.deepEqual([refused.status, refused.body.code], [503, 'unavailable'])
  assert.ok(Number(refused.headers['retry-after']) >= 1)
  for (const index of [0, 1, 2]) assert.equal((await submit(index)).status, 201)
})

test('when open connections freeze, one call gets a 503 and the node stays ready, unless new ones get no answers either', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const api = await testApi(t)
  const proxy = await databaseProxy(t, api.url)
  const node = await api.anotherNode({ url: proxy.url, timeoutMs: TIMEOUT_MS })
  const [{ token }] = await createUsers(api.db, api.deps.campaign.id, 1)
  const readClaim = async () => (await node.call(ownClaim, { token })).status
  const readiness = async () => (await node.inject({ url: '/readyz' })).status
  /** The status of a call that waits `waitMs` for each of `drops` dropped answers. */
  const statusAfterDrops = async (waitMs: number, drops: number, call: () => Promise<number>) => {
    let answerDropped = proxy.nextDrop()
    const status = call()
    for (let left = drops; left > 0; left -= 1) {
      await answerDropped
      // Before the tick, after which the next answer may be dropped at once.
      answerDropped = proxy.nextDrop()
      t.mock.timers.tick(waitMs)
    }
    return status
  }
  // Opens several connections.
  assert.deepEqual(
    await Promise.all([readClaim(), readClaim(), readClaim(), readiness()]),
    [200, 200, 200, 200],
  )

  proxy.freeze()
  // The probe waits half of the timeout for its connection, and half for a new one.
  assert.equal(await statusAfterDrops(TIMEOUT_MS / 2, 1, readiness), 200)
  assert.equal(await statusAfterDrops(TIMEOUT_MS, 1, readClaim), 503)
  for (let count = 0; count < 10; count += 1) assert.equal(await readClaim(), 200)
  assert.equal(await readiness(), 200)

  proxy.silence()
  assert.equal(await statusAfterDrops(TIMEOUT_MS / 2, 2, readiness), 503)
  assert.equal(await statusAfterDrops(TIMEOUT_MS, 1, readClaim), 503)
})
