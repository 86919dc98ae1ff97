import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { API_BASE } from '#contract/endpoint.ts'
import { ownClaim } from '#contract/claims.ts'
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
  const { url: origin, said } = await run(t, {
    ...env,
    DATABASE_CONNECTIONS: String(MOST),
    WORKERS: String(WORKERS),
    LOG_LEVEL: 'warn',
  })
  assert.notEqual(origin, '')
  // An unknown token is looked for in the database.
  const headers = { authorization: `Bearer ${newToken()}`, connection: 'close' }
  const asked = Array.from({ length: 60 }, async (_, index) => {
    const path = index % 3 === 0 ? '/readyz' : API_BASE + ownClaim.path
    return (await fetch(origin + path, { headers })).status
  })
  const statuses = new Set(await Promise.all(asked))
  assert.ok(statuses.has(401))
  // On a busy machine some may wait too long for their turn; none may be turned away by PostgreSQL.
  for (const status of statuses) assert.ok([200, 401, 503].includes(status), String(status))
  assert.doesNotMatch(said.join('\n'), /too many connections/)
})
