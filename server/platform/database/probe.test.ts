import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LONG_TIMEOUT, testDatabase } from '#server/testing/database/database.ts'
import { createProbe } from './probe.ts'

const PROBES = `select pid from pg_stat_activity where datname = current_database() and application_name = 'dropwright probe'`

test('keeps one connection, however many concurrent checks there are, and opens another when it is lost', async (t) => {
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
  await pool.query(`select pg_terminate_backend(pid) from (${PROBES}) probes`)
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
