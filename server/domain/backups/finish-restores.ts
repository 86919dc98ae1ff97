import type { Database } from '#server/platform/database/database.ts'
import { dropPrepared, preparedRestores, putInPlace } from './secret-file.ts'

/**
 * Puts the secret of a restore in place that ended between its commit and its last step, and removes that of a restore
 * that was never committed. No restore is under way: migrations, which come first, wait for it.
 */
export async function finishRestores(db: Database, dataDir: string): Promise<void> {
  for (const restore of await preparedRestores(dataDir)) {
    const run = await db
      .selectFrom('backup_runs')
      .select('id')
      .where('id', '=', restore)
      .where('kind', '=', 'restore')
      .executeTakeFirst()
    await (run ? putInPlace(dataDir, restore) : dropPrepared(dataDir, restore))
  }
}
