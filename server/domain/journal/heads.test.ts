import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPublicReads } from '#server/platform/database/public-reads.ts'
import { ownerPool, testDatabase } from '#server/testing/database/database.ts'
import { ANY_ENTRY, recordEntries } from '#server/testing/journal.ts'
import { createHeadReader } from './heads.ts'
import { sealJournal } from './seal.ts'

test('caches the heads (the hashes published daily), and returns the same array until there is a new one', async (t) => {
  const { db, ownerUrl } = await testDatabase(t)
  const reads = createPublicReads(db)
  const neverFresh = -1
  const [readCached, readFresh] = [createHeadReader(reads), createHeadReader(reads, neverFresh)]
  await recordEntries(db, ANY_ENTRY)
  await sealJournal(db)
  const toYesterday = 'alter table journal_heads disable trigger user; update journal_heads set day = day - 1'
  await ownerPool(t, { ownerUrl }).query(toYesterday)
  const heads = await readCached()
  assert.equal(heads.length, 1)
  assert.deepEqual(await Promise.all([readFresh(), readFresh()]), [heads, heads])
  assert.equal(await readFresh(), await readFresh())

  await sealJournal(db)
  assert.equal(await readCached(), heads)
  const [today, ...earlier] = await readFresh()
  assert.ok(today)
  assert.deepEqual(earlier, heads)
})

test('asks an unavailable database every five seconds and a working one every minute', async (t) => {
  const { db } = await testDatabase(t)
  await recordEntries(db, ANY_ENTRY)
  await sealJournal(db)
  const clock = { now: 0 }
  t.mock.method(performance, 'now', () => clock.now)
  const database = { isAvailable: false, queries: 0 }
  const read = createHeadReader({
    read(query) {
      database.queries += 1
      return database.isAvailable ? query(db) : Promise.reject(new Error('unavailable'))
    },
  })
  await assert.rejects(read(), /unavailable/, 'nothing is cached yet')
  database.isAvailable = true
  // As long as nothing is cached, each call asks.
  const heads = await read()
  assert.equal(heads.length, 1)
  const assertQueriesAt = async (now: number, queries: number) => {
    clock.now = now
    for (const _visitor of [1, 2]) assert.equal(await read(), heads)
    assert.equal(database.queries, queries)
  }
  await assertQueriesAt(0, 2)
  database.isAvailable = false
  await assertQueriesAt(60_000, 3)
  await assertQueriesAt(64_999, 3)
  await assertQueriesAt(65_000, 4)
  database.isAvailable = true
  await assertQueriesAt(70_000, 5)
  await assertQueriesAt(129_999, 5)
})
