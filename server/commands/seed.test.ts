import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { countParticipants } from '../domain/seed/seed-participants.ts'
import { createUsers } from '../testing/builders/create-users.ts'
import { testDatabase } from '../testing/database.ts'
import { testNode } from '../testing/deps.ts'
import { assertLedgerInvariants } from '../testing/checks/ledger-invariants.ts'
import { makeDataDir, runCommand } from '../testing/product.ts'

/** Runs `npm run seed -- …` on a database. */
const seed = (url: string, ...args: string[]) => seedIn({ DATABASE_URL: url }, ...args)

async function seedIn(env: Record<string, string>, ...args: string[]) {
  const { code, out, err } = await runCommand('seed', args, env)
  return { code, said: out + err }
}

test('adds fifty or the given number, beside real participants only if forced, and removes only its own', async (t) => {
  const { db, url, deps } = await testNode(t)
  const DATA_DIR = await makeDataDir(t)
  const remove = () => seedIn({ DATABASE_URL: url, DATA_DIR, APP_SECRET: 'a'.repeat(32) }, '--remove')
  const slotsTaken = async () =>
    (await db.selectFrom('campaigns').select('slots_taken').executeTakeFirstOrThrow()).slots_taken
  await createUsers(db, deps.campaign.id, 1, { role: 'admin' })
  const first = await seed(url)
  assert.equal(first.code, 0, first.said)
  assert.match(first.said, /^Added 50 made-up participants; .*\.seeded\.example/)
  const second = await seed(url, '--users', '7')
  assert.equal(second.code, 0, second.said)
  await createUsers(db, deps.campaign.id, 2)
  assert.deepEqual(await countParticipants(db), { seeded: 57, real: 2 })
  assert.notEqual(await slotsTaken(), 0)

  const refused = await seed(url, '--users', '5')
  assert.equal(refused.code, 1)
  assert.match(refused.said, /has 2 real participants\. Use --force/)
  assert.deepEqual(await countParticipants(db), { seeded: 57, real: 2 })

  const removed = await remove()
  assert.equal(removed.code, 0, removed.said)
  assert.match(removed.said, /^Removed 57 made-up participants\./)
  assert.deepEqual(await countParticipants(db), { seeded: 0, real: 2 })
  assert.equal(await slotsTaken(), 0)
  const points = await db
    .selectFrom('ledger')
    .select(sql<number>`sum(amount)::int`.as('sum'))
    .executeTakeFirst()
  assert.equal(points?.sum, 0)
  await assertLedgerInvariants(deps)
  const mails = await db.selectFrom('jobs').select('id').where('kind', '=', 'mail').execute()
  assert.deepEqual(mails, [], 'no email is sent')
  assert.match((await remove()).said, /^Removed 0 made-up participants\./)

  const again = await seed(url, '--users', '30', '--force')
  assert.equal(again.code, 0, again.said)
  assert.deepEqual(await countParticipants(db), { seeded: 30, real: 2 })
})

test('refuses production unless forced, and a campaign file that breaks a promise', async (t) => {
  const { db, url } = await testDatabase(t)
  const production = { NODE_ENV: 'production', DATABASE_URL: url }
  const refused = await seedIn(production, '--users', '5')
  assert.equal(refused.code, 1)
  assert.match(refused.said, /^NODE_ENV is production: .* Use --force .*\n$/)
  assert.deepEqual(await countParticipants(db), { seeded: 0, real: 0 })
  const forced = await seedIn(production, '--users', '5', '--force')
  assert.equal(forced.code, 0, forced.said)
  assert.deepEqual(await countParticipants(db), { seeded: 5, real: 0 })
  await db.updateTable('campaigns').set({ slots_total: 20_000, slots_taken: 20_000 }).execute()
  const few = await seed(url)
  assert.equal(few.code, 78)
  assert.match(
    few.said,
    /^The campaign file breaks a promise to participants: airdrop\.slots must be 20000 or more: .*\n$/,
  )
})
