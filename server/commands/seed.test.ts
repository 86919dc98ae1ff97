import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { countParticipants } from '../seed/plant.ts'
import { crowd } from '../testing/crowd.ts'
import { testDatabase } from '../testing/database.ts'
import { testDeps } from '../testing/deps.ts'

/** `npm run seed -- …` on that database. */
function seed(url: string, ...args: string[]): Promise<{ code: number; said: string }> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, DATABASE_URL: url }
  return new Promise((resolve) => {
    execFile(process.execPath, [join(import.meta.dirname, 'seed.ts'), ...args], { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, said: out + err }),
    )
  })
}

test('adds fifty, or as many as asked for, beside those of an earlier seeding', async (t) => {
  const { db, url } = await testDatabase(t)
  const first = await seed(url)
  assert.equal(first.code, 0, first.said)
  assert.match(first.said, /^50 made-up participants were added; .*\.seeded\.example/)
  const second = await seed(url, '--users', '7')
  assert.equal(second.code, 0, second.said)
  assert.deepEqual(await countParticipants(db), { seeded: 57, real: 0 })
})

test('refuses a database with real participants, but for --force; administrators are none', async (t) => {
  const { db, url } = await testDatabase(t)
  const { campaign } = await testDeps(db)
  await crowd(db, campaign.id, 1, { role: 'admin' })
  assert.equal((await seed(url, '--users', '5')).code, 0)
  await crowd(db, campaign.id, 2)
  const refused = await seed(url, '--users', '5')
  assert.equal(refused.code, 1)
  assert.match(refused.said, /holds 2 real participants\. Use --force/)
  assert.deepEqual(await countParticipants(db), { seeded: 5, real: 2 })
  assert.equal((await seed(url, '--users', '5', '--force')).code, 0)
  assert.deepEqual(await countParticipants(db), { seeded: 10, real: 2 })
})

test('says how it is used when it is used otherwise', async () => {
  for (const args of [
    ['--users', '0'],
    ['--users', '-3'],
    ['--users', '1e3'],
    ['--users', '1000001'],
    ['50'],
    ['--no'],
  ]) {
    const { code, said } = await seed('postgresql://nobody@localhost/nothing', ...args)
    assert.equal(code, 1)
    assert.match(said, /^Usage: npm run seed/)
  }
})
