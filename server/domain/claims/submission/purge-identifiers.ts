import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'

/** Removes the identifiers that decided claims no longer reserve; approved claims reserve theirs by unique index. */
export async function purgeIdentifiers(db: Database): Promise<void> {
  await sql`
    delete from claim_identifiers i using claims c
    where c.id = i.claim_id and c.decided_at is not null and not keeps_identifiers(c)`.execute(db)
}
