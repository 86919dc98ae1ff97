import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { makeDataDir, run } from '../testing/product.ts'

const get = (url: string) =>
  fetch(url, { headers: { connection: 'close' }, signal: AbortSignal.timeout(60_000) })

/** The PostgreSQL that the program started: its only child process. */
function postmasterOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' }).trim())
}

test('answers 503 with Retry-After after its database is killed, and recovers', async (t) => {
  const program = await run(t, { DATA_DIR: await makeDataDir(t) })
  const board = `${program.url}${API_BASE}/users/leaderboard`
  assert.equal((await get(board)).status, 200)

  const postmaster = postmasterOf(program.pid)
  process.kill(postmaster, 'SIGKILL')
  const refused = await untilStatus(board, 503)
  assert.equal((await get(`${program.url}/healthz`)).status, 200)
  assert.ok(Number(refused.headers.get('retry-after')) >= 1)
  const body = (await refused.json()) as Record<string, unknown>
  assert.equal(body['code'], 'unavailable')
  assert.doesNotMatch(JSON.stringify(body), /postgres|socket|sql|ECONN|\//i)

  await untilStatus(`${program.url}/readyz`, 200)
  assert.equal((await get(board)).status, 200)
  assert.notEqual(postmasterOf(program.pid), postmaster)
})

/** Polls until the answer has this status; pages and health are served meanwhile. */
async function untilStatus(url: string, status: number): Promise<Response> {
  for (;;) {
    const response = await get(url)
    if (response.status === status) return response
    await response.arrayBuffer()
    await pause(10)
  }
}
