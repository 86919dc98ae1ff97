import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { LONG_TIMEOUT, testDatabase } from '#server/testing/database/database.ts'
import { databaseProxy } from '#server/testing/fakes/database-proxy.ts'
import { createProbe } from './probe.ts'

const PROBES = `select pid from pg_stat_activity where datname = current_database() and application_name = 'dropwright probe'`

test('keeps one connection, however many concurrent checks there are', async (t) => {
  const { pool, url } = await testDatabase(t)
  const probe = createProbe(url, LONG_TIMEOUT)
  t.after(() => probe.close())
  const pids = new Set<number>()
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => probe.answers()))
    assert.deepEqual(new Set(answers), new Set([true]))
    const { rows } = await pool.query<{ pid: number }>(PROBES)
    for (const { pid } of rows) pids.add(pid)
  }
  assert.equal(pids.size, 1)
})

test('reconnects after its connection was closed', async (t) => {
  const { pool, url } = await testDatabase(t)
  const probe = createProbe(url, LONG_TIMEOUT)
  t.after(() => probe.close())
  assert.equal(await probe.answers(), true)
  await pool.query(`select pg_terminate_backend(pid) from (${PROBES}) probes`)
  assert.equal(await probe.answers(), true)
})

/** A probe that is connected through a proxy, in mocked time. */
async function probeThroughProxy(t: TestContext) {
  const { url } = await testDatabase(t)
  const proxy = await databaseProxy(t, url)
  const probe = createProbe(proxy.url, { timeoutMs: 2_000 })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  t.after(() => probe.close())
  assert.equal(await probe.answers(), true)
  return { proxy, probe }
}

test('replaces a connection that does not answer in half of the time', async (t) => {
  const { proxy, probe } = await probeThroughProxy(t)
  proxy.freeze()
  const answer = probe.answers()
  t.mock.timers.tick(1_000)
  assert.equal(await answer, true)
  assert.equal(proxy.frozenCount(), 0)
})

test('reports a database that does not answer, and recovers', async (t) => {
  const { proxy, probe } = await probeThroughProxy(t)
  proxy.silence()
  const answers: boolean[] = []
  for (const lost of [probe.answers(), probe.answers()]) void lost.then((answer) => answers.push(answer))
  while (answers.length < 2) {
    t.mock.timers.tick(1_000)
    await new Promise(setImmediate)
  }
  assert.deepEqual(answers, [false, false])
  proxy.speak()
  assert.equal(await probe.answers(), true)
})

test('reports an unreachable or inaccessible database', async (t) => {
  const { url } = await testDatabase(t)
  const missing = new URL(url)
  missing.pathname = '/no_such_database'
  for (const address of ['postgresql://nobody@127.0.0.1:1/nothing', missing.href]) {
    const probe = createProbe(address)
    assert.equal(await probe.answers(), false, address)
    await probe.close()
  }
})
