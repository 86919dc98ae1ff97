import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { type Database, inTransaction } from '#server/platform/database/database.ts'
import { claimant } from '#server/testing/builders/claimants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { ownerPool, type TestDatabase, testDatabase } from '#server/testing/database/database.ts'
import { testNode } from '#server/testing/deps.ts'
import { ANY_ENTRY, recordEntries, assertSealed, exportLines, verifyLines } from '#server/testing/journal.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { ROUNDS, twoNodes } from '#server/testing/database/races.ts'
import { until } from '#server/testing/until.ts'
import { type JournalAction, type JournalRecord, record } from './record.ts'
import { sealJournal } from './seal.ts'

const readSealNumbers = async (db: Database) => {
  const seals = await db.selectFrom('journal_seals').select('number').orderBy('number').execute()
  return seals.map(({ number }) => number)
}

test('an entry is sealed after it is recorded, without its personal data, which sealed fields refuse', async (t) => {
  const { db } = await testDatabase(t)
  await recordEntries(db, ANY_ENTRY)
  assert.deepEqual(await readSealNumbers(db), [])
  await sealJournal(db)
  const [line, ...others] = await exportLines(db)
  assert.ok(line)
  assert.deepEqual(others, [])
  const { details, ...sealed } = line
  assert.deepEqual(details?.content, { network: ANY_ENTRY.network, ...ANY_ENTRY.details })
  // The network and the reason of ANY_ENTRY.
  assert.doesNotMatch(JSON.stringify(sealed), /192\.0\.2|Ann|Beitrag/)
  assert.deepEqual([sealed.number, sealed.action, sealed.after], [1, ANY_ENTRY.action, ANY_ENTRY.after])

  const recordHold = (after: NonNullable<JournalRecord['after']>) =>
    recordEntries(db, { actor: null, action: 'claim.held', after })
  const personal = ['Ann Smith', 'ann@mail.example', '192.0.2.7', 'No post.', '@ann', `0x${'a'.repeat(40)}`]
  for (const text of personal)
    for (const after of [{ text }, { list: [{ text }] }])
      await assert.rejects(recordHold(after), /journal_impersonal/, text)
  const action = 'Ann did it' as JournalAction
  await assert.rejects(recordEntries(db, { actor: null, action }), /journal_action/)
})

test('race: two nodes seal every entry once and without a gap while others write and commit late', async (t) => {
  const [one, other] = await twoNodes(t)
  for (let round = 0; round < ROUNDS; round += 1) {
    // Recorded first, committed last.
    const late = inTransaction(one.db, async (tx) => {
      await record(tx, ANY_ENTRY)
      await Promise.all([one, other].map(({ db }) => recordEntries(db, ANY_ENTRY)))
      await sealJournal(other.db)
    })
    const writers = Array.from({ length: 10 }, (_, index) => {
      const entries = Array.from({ length: 1 + (index % 3) }, () => ANY_ENTRY)
      return recordEntries((index % 2 ? one : other).db, ...entries)
    })
    const failing = inTransaction(one.db, async (tx) => {
      await record(tx, ANY_ENTRY)
      throw new Error('set by the test')
    })
    const sealers = [one, other].flatMap(({ db }) => [sealJournal(db), sealJournal(db)])
    await Promise.all([late, ...writers, ...sealers, assert.rejects(failing, /set by the test/)])
  }
  const before = await assertSealed(one.db)
  const after = await assertSealed(other.db)
  assert.deepEqual(after.slice(0, before.length), before, 'sealed entries are unchanged')
})

/** Starts a sealer that is blocked before it inserts its seals. */
async function blockSealer(t: TestContext, { db, ownerUrl }: TestDatabase) {
  const owner = await ownerPool(t, { ownerUrl }).connect()
  await owner.query('begin; lock table journal_seals in exclusive mode')
  const sealing = sealJournal(db)
  let pid = 0
  await until('the sealer waits for the table', async () => {
    const { rows } = await owner.query<{ pid: number }>(
      `select pid from pg_locks where relation = 'journal_seals'::regclass and not granted`,
    )
    pid = rows[0]?.pid ?? 0
    return pid !== 0
  })
  return { sealing, pid, owner, release: () => owner.query('commit').finally(() => owner.release()) }
}

test('while one sealer is blocked, approvals are recorded and another sealer returns at once', async (t) => {
  const node = await testNode(t)
  const { deps } = node
  const [adm] = await createUsers(deps.db, deps.campaign.id, 1, { role: 'admin' })
  const { claimId } = await claimant(deps)
  await recordEntries(deps.db, ANY_ENTRY)
  const { sealing, release } = await blockSealer(t, node)
  let isSealed = false
  void sealing.then(() => (isSealed = true))
  const { approved } = await reviewerOn(deps, adm).approve(claimId)
  assert.ok(approved && !isSealed)
  await sealJournal(deps.db)
  assert.ok(!isSealed)
  await release()
  await sealing
  await assertSealed(deps.db)
})

test('a sealer killed before its insert leaves no partial batch', async (t) => {
  const database = await testDatabase(t)
  const { db } = database
  await recordEntries(db, ANY_ENTRY, ANY_ENTRY)
  await assertSealed(db)
  // More than a batch.
  await recordEntries(db, ...Array.from({ length: 600 }, () => ANY_ENTRY))
  const { sealing, pid, owner, release } = await blockSealer(t, database)
  const failing = assert.rejects(sealing)
  await owner.query('select pg_terminate_backend($1)', [pid])
  await failing
  await release()
  assert.deepEqual(await readSealNumbers(db), [1, 2])
  await assertSealed(db)
})

test('publishes a head once a day and never changes it', async (t) => {
  const { db, ownerUrl } = await testDatabase(t)
  const readHeads = async () => {
    const { rows } = await sql<{ daysAgo: number; number: number }>`
      select utc_day(now()) - day as "daysAgo", number from journal_heads order by day`.execute(db)
    return rows
  }
  await sealJournal(db)
  assert.deepEqual(await readHeads(), [], 'an empty chain has no head')
  await recordEntries(db, ANY_ENTRY, ANY_ENTRY)
  await Promise.all([1, 2, 3].map(() => sealJournal(db)))
  assert.deepEqual(await readHeads(), [{ daysAgo: 0, number: 2 }])

  const toYesterday = 'alter table journal_heads disable trigger user; update journal_heads set day = day - 1'
  await ownerPool(t, { ownerUrl }).query(toYesterday)
  await recordEntries(db, ANY_ENTRY)
  await sealJournal(db)
  assert.deepEqual(await readHeads(), [
    { daysAgo: 1, number: 2 },
    { daysAgo: 0, number: 3 },
  ])
  const lines = await exportLines(db)
  for (const { number } of await readHeads()) {
    const { hash } = lines[number - 1] ?? assert.fail()
    assert.ok((await verifyLines(lines, { number, hash })).ok)
  }
})
