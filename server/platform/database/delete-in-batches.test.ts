import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { testDatabase } from '#server/testing/database/database.ts'
import { deleteInBatches } from './delete-in-batches.ts'

test('deletes the rows that meet the condition, in batches', async (t) => {
  const { db } = await testDatabase(t)
  await sql`
    insert into rate_limits (key, count, resets_at)
    select 'key ' || n, n, now() from generate_series(1, 10) n`.execute(db)
  const deleted: bigint[] = []
  const counting = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      deleted.push(result.numAffectedRows ?? 0n)
      return result
    },
  })
  await deleteInBatches(counting, 'rate_limits', sql`count > 3`, 3)
  assert.deepEqual(deleted, [3n, 3n, 1n])
  assert.equal((await db.selectFrom('rate_limits').selectAll().execute()).length, 3, 'others are kept')
})
