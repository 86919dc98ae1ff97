import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'
import type { DB } from './database.types.ts'

/** Large, because each statement has to skip the rows that earlier ones have deleted. */
const BATCH_SIZE = 50_000

/**
 * Deletes the rows of a table that meet a condition, in several statements. On a slow disk, a single one for
 * millions of rows could time out every time. Rows that another node is deleting may be left to it.
 */
export async function deleteInBatches(
  db: Database,
  table: keyof DB,
  condition: RawBuilder<boolean>,
  batchSize = BATCH_SIZE,
): Promise<void> {
  const rows = sql.table(table)
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${rows} where ctid = any(array(
        select ctid from ${rows} where ${condition} limit ${batchSize}))`.execute(db)
    if (numAffectedRows < batchSize) return
  }
}
