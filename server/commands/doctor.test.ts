import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEmbeddedPostgres } from '../platform/database/embedded-postgres.ts'
import { openPool } from '../platform/database/database.ts'
import { migrate } from '../platform/database/migrate.ts'
import { deadAddress } from '../testing/fakes/http-stub.ts'
import { LONG_TIMEOUT } from '../testing/database.ts'
import { makeInitializedDataDir } from '../testing/initialized-data-dir.ts'
import { runCommand } from '../testing/product.ts'

test('examines a deployment whose server is stopped, and one whose environment is broken', async (t) => {
  const DATA_DIR = await makeInitializedDataDir(t)
  const server = await startEmbeddedPostgres({ dataDir: DATA_DIR, log: () => {} })
  const owner = openPool(server.ownerUrl, () => {}, { ...LONG_TIMEOUT, max: 1 })
  await migrate(owner, () => {}, 'dropwright_serving').finally(() => owner.end())
  await server.stop()
  const dead = await deadAddress(t)
  const env = {
    DATA_DIR,
    PUBLIC_URL: dead,
    PORT: '0',
    CHAIN_RPC_URL: `${dead}/key-of-the-node`,
    PRICE_API_URL: dead,
  }
  const { code, out, err } = await runCommand('doctor', ['--timeout', '300'], env)
  assert.deepEqual([code, err], [1, ''])
  assert.match(out, /^database +fine +PostgreSQL/m)
  assert.match(out, /^journal +fine +The journal is valid: 0 entries/m)
  assert.match(out, /^administrators +wrong +There is no administrator/m)
  assert.match(out, /\n3 problems to fix; \d checks could not tell\.\n1\. administrators: [^]*\n3\. price: /)
  assert.doesNotMatch(out, /key-of-the-node/)

  const broken = await runCommand('doctor', ['--json', '--timeout', '300'], {
    ...env,
    PORT: 'x',
    DATABASE_URL: 'mysql://db',
  })
  assert.deepEqual([broken.code, broken.err], [1, ''])
  const { checks } = JSON.parse(broken.out) as {
    checks: { name: string; outcome: string; lines: string[] }[]
  }
  assert.equal(checks.find(({ name }) => name === 'environment')?.lines.length, 2)
  assert.equal(checks.find(({ name }) => name === 'database')?.outcome, 'could_not_tell')
})
