import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { startEmbeddedPostgres } from '../platform/database/embedded-postgres.ts'
import { deadAddress } from '../testing/fakes/http-stub.ts'
import { migrateAsOwner } from '../testing/database/database.ts'
import { makeInitializedDataDir } from '../testing/database/initialized-data-dir.ts'
import { makeDataDir, runCommand } from '../testing/product.ts'

/** The server is stopped, and the outside services do not answer. */
async function stoppedDeployment(t: TestContext, DATA_DIR: string) {
  const dead = await deadAddress(t)
  return {
    DATA_DIR,
    PUBLIC_URL: dead,
    PORT: '0',
    CHAIN_RPC_URL: `${dead}/key-of-the-node`,
    PRICE_API_URL: dead,
  }
}

test('examines a deployment whose server is stopped', async (t) => {
  const DATA_DIR = await makeInitializedDataDir(t)
  const server = await startEmbeddedPostgres({ dataDir: DATA_DIR, log: () => {} })
  await migrateAsOwner(server.ownerUrl)
  await server.stop()
  const env = await stoppedDeployment(t, DATA_DIR)
  const { code, out, err } = await runCommand('doctor', ['--timeout', '300'], env)
  assert.deepEqual({ code, err }, { code: 1, err: '' })
  assert.match(out, /^database +fine +PostgreSQL/m)
  assert.match(out, /^journal +fine +The journal is valid: 0 entries/m)
  assert.match(out, /^administrators +wrong +There is no administrator/m)
  assert.match(out, /\n3 problems to fix; \d checks could not tell\.\n1\. administrators: [^]*\n3\. price: /)
  assert.doesNotMatch(out, /key-of-the-node/)
})

test('examines a deployment whose environment is broken, and answers in JSON', async (t) => {
  const env = await stoppedDeployment(t, await makeDataDir(t))
  const broken = { ...env, PORT: 'x', DATABASE_URL: 'mysql://db' }
  const { code, out, err } = await runCommand('doctor', ['--json', '--timeout', '300'], broken)
  assert.deepEqual({ code, err }, { code: 1, err: '' })
  const { checks } = JSON.parse(out) as { checks: { name: string; outcome: string; lines: string[] }[] }
  assert.equal(checks.find(({ name }) => name === 'environment')?.lines.length, 2, 'one for each variable')
  assert.partialDeepStrictEqual(
    checks.find(({ name }) => name === 'database'),
    { outcome: 'could_not_tell', lines: ['DATABASE_URL cannot be used (see environment).'] },
  )
})
