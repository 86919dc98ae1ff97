import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { LONG_TIMEOUT } from '#server/testing/database.ts'
import { startReplicated } from '#server/testing/replica.ts'
import { type Database, openDatabase, openPool } from './database.ts'
import { createPublicReads, MAX_STALENESS_MS } from './public-reads.ts'

function opened(t: TestContext, url: string) {
  const pool = openPool(url, () => {}, LONG_TIMEOUT)
  t.after(() => pool.end())
  return openDatabase(pool)
}

const countSlots = async (db: Database) =>
  (await db.selectFrom('campaigns').select('slots_total').executeTakeFirst())?.slots_total

test('reads from a replica that follows closely enough, and otherwise from the primary', async (t) => {
  const { primary, replica, pauseReplay, resumeReplay, unfollow } = await startReplicated(t)
  const main = opened(t, primary.url)
  let time = 0
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const reads = createPublicReads(main, { db: opened(t, replica.url), onError, now: () => time })
  const read = async () => {
    const before = reads.counts()
    const slots = await reads.read(countSlots)
    return { slots, from: reads.counts().replica > before.replica ? 'replica' : 'primary' }
  }
  // The first read asks the primary for the log position that the second requires of the replica.
  const readAfterCatchingUp = async () => {
    await read()
    await resumeReplay()
    return read()
  }
  const commit = (slots: number) =>
    main
      .insertInto('campaigns')
      .values({ id: 'one', slots_total: slots })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ slots_total: slots }))
      .execute()
  await commit(1)
  assert.deepEqual(await readAfterCatchingUp(), { slots: 1, from: 'replica' })

  // An idle primary is no lag, however long it is idle.
  time += 3_600_000
  assert.deepEqual(await readAfterCatchingUp(), { slots: 1, from: 'replica' })

  await pauseReplay()
  await commit(2)
  time += MAX_STALENESS_MS
  assert.deepEqual(await read(), { slots: 1, from: 'replica' }, 'within the bound')
  time += 1
  assert.deepEqual(await read(), { slots: 2, from: 'primary' }, 'beyond it')

  assert.deepEqual(await readAfterCatchingUp(), { slots: 2, from: 'replica' })
  await pauseReplay()
  await commit(3)
  reads.recordWrite()
  assert.deepEqual(await read(), { slots: 3, from: 'primary' }, 'a change that was recorded')
  assert.deepEqual(await read(), { slots: 3, from: 'primary' }, 'and every later read')
  assert.deepEqual(await readAfterCatchingUp(), { slots: 3, from: 'replica' })

  const readsOfPrimary = createPublicReads(main, { db: main, onError })
  assert.equal(await readsOfPrimary.read(countSlots), 3)
  assert.deepEqual(readsOfPrimary.counts(), { replica: 0, primary: 1 }, 'the primary is no replica of itself')
  await unfollow()
  assert.deepEqual(await read(), { slots: 3, from: 'primary' }, 'the replica follows no one')
  assert.deepEqual(errors, [], 'lag is no failure')

  await replica.stopImmediately()
  const both = await Promise.all([read(), read()])
  for (const answer of both) assert.deepEqual(answer, { slots: 3, from: 'primary' })
  assert.equal(errors.length, 1, 'reported once for reads at the same time')
  assert.deepEqual(await read(), { slots: 3, from: 'primary' })
  assert.equal(errors.length, 1, 'the replica is not asked')
  time += 5_000
  assert.deepEqual(await read(), { slots: 3, from: 'primary' })
  assert.equal(errors.length, 2, 'and is tried again')
})
