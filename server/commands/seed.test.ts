import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { countParticipants } from '../domain/seed/seed-participants.ts'
import { createUsers } from '../testing/builders/create-users.ts'
import { testDatabase } from '../testing/database/database.ts'
import { testNode } from '../testing/deps.ts'
import { assertFailed, assertSucceeded } from '../testing/checks/commands.ts'
import { serveDatabase } from '../testing/fakes/database-proxy.ts'
import { assertLedgerInvariants } from '../testing/checks/ledger-invariants.ts'
import { makeDataDir } from '../testing/product.ts'
import { runWarm } from '../testing/warm-command.ts'

const seedIn = (env: Record<string, string>, ...args: string[]) => runWarm('seed', args, env)

/** The administrator counts as neither seeded nor real. */
async function setUp(t: TestContext) {
  const { db, url, deps } = await testNode(t)
  await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  const DATA_DIR = await makeDataDir(t)
  return {
    db,
    deps,
    seed: (...args: string[]) => seedIn({ DATABASE_URL: url }, ...args),
    remove: () => seedIn({ DATABASE_URL: url, DATA_DIR, APP_SECRET: 'a'.repeat(32) }, '--remove'),
    addReal: () => createUsers(db, deps.campaign.id, 2),
    countSlotsTaken: async () =>
      (await db.selectFrom('campaigns').select('slots_taken').executeTakeFirstOrThrow()).slots_taken,
  }
}

test('adds fifty participants or the given number, with claims and without emails', async (t) => {
  const { db, seed, countSlotsTaken } = await setUp(t)
  assertSucceeded(await seed(), /^Added 50 made-up participants; .*\.seeded\.example/)
  assertSucceeded(await seed('--users', '7'))
  assert.deepEqual(await countParticipants(db), { seeded: 57, real: 0 })
  assert.notEqual(await countSlotsTaken(), 0)
  assert.deepEqual(await db.selectFrom('jobs').select('id').where('kind', '=', 'mail').execute(), [])
})

test('adds participants beside real ones only if forced', async (t) => {
  const { db, seed, addReal } = await setUp(t)
  await addReal()
  assertFailed(await seed('--users', '5'), 1, /has 2 real participants\. Use --force/)
  assert.deepEqual(await countParticipants(db), { seeded: 0, real: 2 })
  assertSucceeded(await seed('--users', '30', '--force'))
  assert.deepEqual(await countParticipants(db), { seeded: 30, real: 2 })
})

test('says what to do when the database stops during the seeding, as on a full disk', async (t) => {
  const { url } = await testNode(t)
  const broken = await serveDatabase(t, url, (client, upstream) => {
    upstream.pipe(client)
    // Breaks off in the middle of the seeding, when it inserts the usernames.
    client.on('data', (sent) =>
      sent.includes('insert into usernames') ? client.destroy() : upstream.write(sent),
    )
  })
  assertFailed(
    await seedIn({ DATABASE_URL: broken }),
    1,
    /^The database has broken off the connection\. .*npm run doctor.*\n$/,
  )
})

test('removes what it has added, and nothing else', async (t) => {
  const { db, deps, seed, remove, addReal, countSlotsTaken } = await setUp(t)
  await seed('--users', '12')
  await addReal()
  assert.notEqual(await countSlotsTaken(), 0)
  assertSucceeded(await remove(), /^Removed 12 made-up participants\./)
  assert.deepEqual(await countParticipants(db), { seeded: 0, real: 2 })
  assert.equal(await countSlotsTaken(), 0)
  const points = await db
    .selectFrom('ledger')
    .select(sql<number>`sum(amount)::int`.as('sum'))
    .executeTakeFirst()
  assert.equal(points?.sum, 0)
  await assertLedgerInvariants(deps)
  const mails = await db.selectFrom('jobs').select('id').where('kind', '=', 'mail').execute()
  assert.deepEqual(mails, [], 'no email is sent')
  assertSucceeded(await remove(), 'There are no made-up participants.\n')
})

test('refuses production unless forced', async (t) => {
  const { db, url } = await testDatabase(t)
  const production = { NODE_ENV: 'production', DATABASE_URL: url }
  const refused = await seedIn(production, '--users', '5')
  assertFailed(refused, 1, /^NODE_ENV is production: .* Use --force .*\n$/)
  assert.deepEqual(await countParticipants(db), { seeded: 0, real: 0 })
  assertSucceeded(await seedIn(production, '--users', '5', '--force'))
  assert.deepEqual(await countParticipants(db), { seeded: 5, real: 0 })
})
