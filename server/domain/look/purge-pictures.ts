import { sql } from 'kysely'
import { type Database, inTransaction } from '#server/platform/database/database.ts'

/** Whether a campaign's stored settings, an override or the value that it overrides name the picture `p`. */
const IS_NAMED = sql`(
  exists (select from campaigns c where position(p.name in c.settings::text) > 0)
  or exists (select from campaign_overrides o
    where position(p.name in o.value::text) > 0 or position(p.name in o.file_value::text) > 0))`

/**
 * Deletes pictures that no setting names: a day after their upload if no setting ever did, otherwise a month
 * after the last one did, because emails and pages that have been sent show them.
 * @returns how many.
 */
export async function purgePictures(db: Database): Promise<number> {
  await sql`update pictures p set last_used_at = now()
    where ${IS_NAMED} and (last_used_at is null or last_used_at < now() - interval '1 hour')`.execute(db)
  return inTransaction(db, async (tx) => {
    // Skips a picture that is being chosen, which is locked. A later choice no longer finds the picture.
    const { rows } = await sql<{ name: string }>`
      select name from pictures p
      where not ${IS_NAMED} and created_at < now() - interval '1 day'
        and (last_used_at is null or last_used_at < now() - interval '30 days')
      for update skip locked`.execute(tx)
    if (rows.length === 0) return 0
    // Checked again: a picture may have been chosen after the first check and before its lock.
    const { numAffectedRows = 0n } = await sql`
      delete from pictures p
      where name = any(${rows.map(({ name }) => name)}) and not ${IS_NAMED}`.execute(tx)
    return Number(numAffectedRows)
  })
}
