import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { ownClaim } from '#contract/claims/claims.ts'
import { newToken } from '../platform/secrets.ts'
import { twoRoles } from '../testing/database.ts'
import { run } from '../testing/product.ts'

const WORKERS = 2
/** Three connections and one for the readiness probe per worker, and two for the primary process. */
const LIMIT = WORKERS * 4 + 2

test('all processes together stay within DATABASE_CONNECTIONS under load', async (t) => {
  const { owner, role, env } = await twoRoles(t)
  // PostgreSQL refuses any more.
  await owner.query(`alter role ${pg.escapeIdentifier(role)} connection limit ${LIMIT}`)
  const { url: origin, output } = await run(t, {
    ...env,
    DATABASE_CONNECTIONS: String(LIMIT),
    WORKERS: String(WORKERS),
    LOG_LEVEL: 'warn',
  })
  assert.notEqual(origin, '')
  // An unknown token costs a query.
  const headers = { authorization: `Bearer ${newToken()}`, connection: 'close' }
  const asked = Array.from({ length: 60 }, async (_, index) => {
    const path = index % 3 === 0 ? '/readyz' : API_BASE + ownClaim.path
    return (await fetch(origin + path, { headers })).status
  })
  const statuses = new Set(await Promise.all(asked))
  assert.ok(statuses.has(401))
  // On a busy machine some may time out waiting for the pool; PostgreSQL must refuse none.
  for (const status of statuses) assert.ok([200, 401, 503].includes(status), String(status))
  assert.doesNotMatch(output.join('\n'), /too many connections/)
})
