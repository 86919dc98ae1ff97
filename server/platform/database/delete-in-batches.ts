import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'
import type { DB } from './database.types.ts'

/** Each statement skips what those before it have deleted, so many small batches take longer than a few. */
const BATCH_SIZE = 50_000

/**
 * Deletes the rows of a table that meet a condition, in several statements: on a slow disk, one for millions
 * of rows could exceed its timeout whenever it is tried. Rows that another node is deleting may be left to
 * that node.
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
