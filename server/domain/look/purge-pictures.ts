import { sql } from 'kysely'
import { type Database, inTransaction } from '#server/platform/database/database.ts'

/** Whether the settings of a campaign name the picture `p`, as they are, as they were, or as its file has them. */
const IS_NAMED = sql`(
  exists (select from campaigns c where position(p.name in c.settings::text) > 0)
  or exists (select from campaign_overrides o
    where position(p.name in o.value::text) > 0 or position(p.name in o.file_value::text) > 0))`

/**
 * Deletes pictures that no setting names: a day after their upload if none ever did, and a month after the last one
 * did, because emails and pages that were sent then show them.
 * @returns how many.
 */
export async function purgePictures(db: Database): Promise<number> {
  await sql`update pictures p set last_used_at = now()
    where ${IS_NAMED} and (last_used_at is null or last_used_at < now() - interval '1 hour')`.execute(db)
  return inTransaction(db, async (tx) => {
    // A picture that is being chosen is locked. A later choice no longer finds it.
    const { rows } = await sql<{ name: string }>`
      select name from pictures p
      where not ${IS_NAMED} and created_at < now() - interval '1 day'
        and (last_used_at is null or last_used_at < now() - interval '30 days')
      for update skip locked`.execute(tx)
    if (rows.length === 0) return 0
    // Asked again: one may have been chosen between the first look and its lock.
    const { numAffectedRows = 0n } = await sql`
      delete from pictures p
      where name = any(${rows.map(({ name }) => name)}) and not ${IS_NAMED}`.execute(tx)
    return Number(numAffectedRows)
  })
}
