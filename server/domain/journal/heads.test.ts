import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPublicReads } from '#server/platform/database/public-reads.ts'
import { ownerPool, testDatabase } from '#server/testing/database.ts'
import { ANY_ENTRY, recordEntries } from '#server/testing/journal.ts'
import { createHeadReader } from './heads.ts'
import { sealJournal } from './seal.ts'

test('caches the heads for a while, and serves them as long as the database is unavailable', async (t) => {
  const { db, ownerUrl } = await testDatabase(t)
  const owner = ownerPool(t, { ownerUrl })
  const reads = createPublicReads(db)
  const [seldom, often] = [createHeadReader(reads), createHeadReader(reads, -1)]
  await recordEntries(db, ANY_ENTRY)
  await sealJournal(db)
  await owner.query('alter table journal_heads disable trigger user; update journal_heads set day = day - 1')
  const first = await seldom()
  assert.deepEqual(await Promise.all([often(), often()]), [first, first])
  assert.equal(await often(), await often(), 'the same array without a new head')

  await sealJournal(db)
  assert.equal(await seldom(), first)
  const second = await often()
  assert.deepEqual([second.length, second[1]], [2, first[0]])

  await owner.query('alter table journal_heads rename to journal_heads_away')
  assert.equal(await often(), second)
  await assert.rejects(createHeadReader(reads)(), /"journal_heads" does not exist/)
})

test('while the database is unavailable, it is asked every five seconds instead of by every visitor', async (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const { db } = await testDatabase(t)
  let isAvailable = true
  let asked = 0
  const read = createHeadReader({
    read(query) {
      asked += 1
      return isAvailable ? query(db) : Promise.reject(new Error('unavailable'))
    },
  })
  await read()
  isAvailable = false
  now = 60_000
  const askedAfterReading = async () => {
    await read()
    return asked
  }
  assert.deepEqual([await askedAfterReading(), await askedAfterReading()], [2, 2])
  now += 4_999
  assert.equal(await askedAfterReading(), 2)
  now += 1
  assert.deepEqual([await askedAfterReading(), await askedAfterReading()], [3, 3])
  isAvailable = true
  now += 5_000
  assert.equal(await askedAfterReading(), 4)
  now += 59_999
  assert.equal(await askedAfterReading(), 4)
})
