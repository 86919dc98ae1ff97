import { sql } from 'kysely'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { ago } from '#server/platform/database/times.ts'
import { moveToReview } from '../claims/decisions/move-to-review.ts'
import { type Source, type Found, sentenceOf } from './finding.ts'

/** Claims have to reach review within a minute. This leaves time for the schedule's interval and the move. */
const LATE_AFTER = '45 seconds'
const BATCH_SIZE = 200
const NOT_YET: Found = { code: 'not_yet' }

/**
 * Moves claims to Under Review if their checks hang or have not started. Missing checks are stored as
 * inconclusive and stay due. Safe to run on several nodes at once.
 * @returns the number of claims moved.
 */
export async function moveLateClaimsToReview(db: Database, sources: readonly Source[]): Promise<number> {
  let total = 0
  for (;;) {
    const count = await inTransaction(db, (tx) => moveBatch(tx, sources))
    total += count
    if (count < BATCH_SIZE) return total
  }
}

async function moveBatch(tx: Tx, sources: readonly Source[]): Promise<number> {
  const late = await tx
    .selectFrom('claims')
    .select('id')
    .where('status', '=', 'submitted')
    .where('submitted_at', '<', ago(LATE_AFTER))
    .orderBy('submitted_at')
    .limit(BATCH_SIZE)
    .forUpdate()
    .skipLocked()
    .execute()
  if (late.length === 0) return 0
  const ids = late.map(({ id }) => id)
  const allChecks = sources.flatMap(({ name, checks }) => checks.map((check) => ({ check, source: name })))
  await sql`
    insert into evidence (claim_id, check_name, outcome, detail, found, source, tries, next_try_at)
    select id, c.check, 'could_not_tell', ${sentenceOf(NOT_YET)}, ${JSON.stringify(NOT_YET)}::jsonb, c.source,
      0, now()
    from unnest(${ids}::uuid[]) as id,
      jsonb_to_recordset(${JSON.stringify(allChecks)}) as c ("check" text, source text)
    on conflict do nothing`.execute(tx)
  for (const id of ids) await moveToReview(tx, id)
  return ids.length
}
