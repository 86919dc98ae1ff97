import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { makeInitializedDataDir } from '../testing/initialized-data-dir.ts'
import { isRunning, run, type Run } from '../testing/product.ts'
import { until } from '../testing/until.ts'

/** No session has this token; to find out, every call asks the database. Public answers come from memory. */
const headers = { connection: 'close', authorization: `Bearer ${'x'.repeat(43)}` }
const get = (url: string) => fetch(url, { headers, signal: AbortSignal.timeout(60_000) })

test('answers 503 with Retry-After after its database is killed, and recovers', async (t) => {
  const program = await run(t, { DATA_DIR: await makeInitializedDataDir(t) })
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
 * Kills the database and sends a request while the program is suspended: it learns of both at the same moment.
 * Polling instead can miss the whole outage, as the program restarts PostgreSQL within 200 ms.
 */
async function getDuringOutage(program: Run, postmaster: number, url: string): Promise<IncomingMessage> {
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

/** The PostgreSQL that the program started is its only child process; its backends are that one's children. */
function childrenOf(pid: number): number[] {
  const pids = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  return pids.trim().split(/\s+/).map(Number)
}
