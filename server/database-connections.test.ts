import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { API_BASE } from '#contract/endpoint.ts'
import { myTask } from '#contract/tasks.ts'
import { newToken } from './platform/secrets.ts'
import { twoRoles } from './testing/database.ts'
import { run } from './testing/product.ts'

const WORKERS = 2
/** Three for each process and one for its readiness, and two for the process that keeps them. */
const MOST = WORKERS * 4 + 2

test('however many ask, all processes together stay within DATABASE_CONNECTIONS', async (t) => {
  const { owner, role, env } = await twoRoles(t)
  // One more, and PostgreSQL itself refuses.
  await owner.query(`alter role ${pg.escapeIdentifier(role)} connection limit ${MOST}`)
  const { url: origin } = await run(t, {
    ...env,
    DATABASE_CONNECTIONS: String(MOST),
    WORKERS: String(WORKERS),
  })
  assert.notEqual(origin, '')
  // An unknown token is looked for in the database.
  const headers = { authorization: `Bearer ${newToken()}`, connection: 'close' }
  const asked = Array.from({ length: 120 }, async (_, index) => {
    const path = index % 3 === 0 ? '/readyz' : API_BASE + myTask.path
    return (await fetch(origin + path, { headers })).status
  })
  assert.deepEqual(new Set(await Promise.all(asked)), new Set([200, 401]))
})
