import { sql } from 'kysely'
import { type Database, inTransaction, type Tx } from '../platform/database.ts'
import { moveToReview } from '../claims/move-to-review.ts'
import type { Source } from './finding.ts'
import { FINDING_WORDS } from './words.ts'

/** A claim waits no longer than a minute for its first outcomes: this leaves the rest for doing it. */
const LATE_AFTER = '45 seconds'
const AT_ONCE = 200

/**
 * Lets claims whose checks hang, or were not even begun, go on to Under Review: what nobody has seen yet
 * could not be told, and is looked at as soon as its turn comes. Any number of nodes may do this at once.
 * @returns how many claims it was.
 */
export async function moveLateClaimsToReview(db: Database, sources: readonly Source[]): Promise<number> {
  for (let total = 0; ;) {
    const count = await inTransaction(db, (tx) => settleSome(tx, sources))
    total += count
    if (count < AT_ONCE) return total
  }
}

async function settleSome(tx: Tx, sources: readonly Source[]): Promise<number> {
  const late = await tx
    .selectFrom('claims')
    .select('id')
    .where('status', '=', 'submitted')
    .where('submitted_at', '<', sql<Date>`now() - ${sql.lit(LATE_AFTER)}::interval`)
    .orderBy('submitted_at')
    .limit(AT_ONCE)
    .forUpdate()
    .skipLocked()
    .execute()
  if (late.length === 0) return 0
  const ids = late.map(({ id }) => id)
  const unseen = sources.flatMap(({ name, checks }) => checks.map((check) => ({ check, source: name })))
  await sql`
    insert into evidence (claim_id, check_name, outcome, detail, source, tries, next_try_at)
    select id, u.check, 'could_not_tell', ${FINDING_WORDS.notYet}, u.source, 0, now()
    from unnest(${ids}::uuid[]) as id, jsonb_to_recordset(${JSON.stringify(unseen)}) as u ("check" text, source text)
    on conflict do nothing`.execute(tx)
  for (const id of ids) await moveToReview(tx, id)
  return ids.length
}
