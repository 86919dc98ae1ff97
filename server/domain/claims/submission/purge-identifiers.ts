import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { MIN_ID } from '#server/platform/database/ids.ts'

/** Claims whose identifiers one statement may delete. Few enough for the statement timeout. */
export const BATCH_SIZE = 1_000

/** Frees settled claims' identifiers. Unique indexes still reserve an approved claim's last revision. */
export async function purgeIdentifiers(db: Database): Promise<void> {
  let lastId: string | undefined = MIN_ID
  while (lastId) {
    const { rows } = await purgeAfter(lastId).execute(db)
    lastId = rows[0]?.last_id
  }
}

/** Returns the last claim that the statement covered. Uses the index `claim_identifiers_by_claim`. */
const purgeAfter = (claimId: string): RawBuilder<{ last_id: string }> => sql`
  with next as materialized (
    select distinct claim_id from claim_identifiers
    where claim_id > ${claimId} order by claim_id limit ${BATCH_SIZE}),
  purged as (
    delete from claim_identifiers where claim_id = any(array(
      select c.id from next n join claims c on c.id = n.claim_id
      where c.decided_at is not null and not keeps_identifiers(c))))
  select claim_id as last_id from next order by claim_id desc limit 1`
