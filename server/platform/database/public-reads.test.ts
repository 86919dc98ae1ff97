import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { LONG_TIMEOUT } from '#server/testing/database/database.ts'
import { startReplicated } from '#server/testing/database/replica.ts'
import { type Database, openDatabase, openPool } from './database.ts'
import { createPublicReads, MAX_STALENESS_MS } from './public-reads.ts'

function openUntilEnd(t: TestContext, url: string) {
  const pool = openPool(url, LONG_TIMEOUT)
  t.after(() => pool.end())
  return openDatabase(pool)
}

const readSlots = async (db: Database) =>
  (await db.selectFrom('campaigns').select('slots_total').executeTakeFirst())?.slots_total

/** The clock of the public reads stands still until the test moves it. */
async function replicatedReads(t: TestContext) {
  const { primary, replica, ...replay } = await startReplicated(t)
  const db = openUntilEnd(t, primary.url)
  const clock = { ms: 0 }
  const errors: unknown[] = []
  const reads = createPublicReads(db, {
    db: openUntilEnd(t, replica.url),
    onError: (error) => errors.push(error),
    now: () => clock.ms,
  })
  const read = async () => {
    const before = reads.counts()
    const slots = await reads.read(readSlots)
    return { slots, from: reads.counts().replica > before.replica ? 'replica' : 'primary' }
  }
  // The first read asks the primary for its position. The second uses the replica if that has reached it.
  const readAfterCatchingUp = async () => {
    await read()
    await replay.resumeReplay()
    return read()
  }
  const commit = (slots: number) =>
    db
      .insertInto('campaigns')
      .values({ id: 'one', slots_total: slots })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ slots_total: slots }))
      .execute()
  return { ...replay, db, replica, clock, errors, reads, read, readAfterCatchingUp, commit }
}

test('reads come from a replica that follows closely enough, and otherwise from the primary', async (t) => {
  const { db, replica, clock, errors, reads, read, readAfterCatchingUp, commit, pauseReplay, unfollow } =
    await replicatedReads(t)

  await t.test('a replica that has caught up is read, however long the primary has been idle', async () => {
    await commit(1)
    assert.deepEqual(await readAfterCatchingUp(), { slots: 1, from: 'replica' })
    clock.ms += 3_600_000
    assert.deepEqual(await readAfterCatchingUp(), { slots: 1, from: 'replica' })
  })

  await t.test('a replica that lags is read only for as long as a read may be stale', async () => {
    await pauseReplay()
    await commit(2)
    clock.ms += MAX_STALENESS_MS
    assert.deepEqual(await read(), { slots: 1, from: 'replica' })
    clock.ms += 1
    assert.deepEqual(await read(), { slots: 2, from: 'primary' })
    assert.deepEqual(await readAfterCatchingUp(), { slots: 2, from: 'replica' })
  })

  await t.test('after a recorded write, every read sees it', async () => {
    await pauseReplay()
    await commit(3)
    reads.recordWrite()
    assert.deepEqual(await read(), { slots: 3, from: 'primary' })
    assert.deepEqual(await read(), { slots: 3, from: 'primary' }, 'the replica still lags')
    assert.deepEqual(await readAfterCatchingUp(), { slots: 3, from: 'replica' })
  })

  await t.test(
    'a server that follows no primary is not read, and that is not reported as a failure',
    async () => {
      const readsOfPrimary = createPublicReads(db, { db, onError: (error) => errors.push(error) })
      assert.equal(await readsOfPrimary.read(readSlots), 3)
      assert.deepEqual(readsOfPrimary.counts(), { replica: 0, primary: 1 })
      await unfollow()
      assert.deepEqual(await read(), { slots: 3, from: 'primary' })
      assert.deepEqual(errors, [])
    },
  )

  await t.test(
    'parallel failures are reported once, and the replica then rests for five seconds',
    async () => {
      await replica.stopImmediately()
      for (const answer of await Promise.all([read(), read()]))
        assert.deepEqual(answer, { slots: 3, from: 'primary' })
      assert.equal(errors.length, 1)
      assert.deepEqual(await read(), { slots: 3, from: 'primary' })
      assert.equal(errors.length, 1, 'the replica was asked again too soon')
      clock.ms += 5_000
      assert.deepEqual(await read(), { slots: 3, from: 'primary' })
      assert.equal(errors.length, 2)
    },
  )
})
