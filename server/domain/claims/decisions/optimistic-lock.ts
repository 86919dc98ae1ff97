import { sql } from 'kysely'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { refuse } from '#server/platform/refusal.ts'
import type { DecisionAction, LockedClaim } from './lock-claim.ts'

/**
 * A revision that was shown to an administrator. A decision that names no revision refers to the newest of
 * these, and is refused if the proof was edited after that.
 */
type ShownRevision = { claimId: string; revision: number }

/** Revision of an unedited claim. Most claims are never edited, so they need no row in `seen_revisions`. */
const FIRST_REVISION = 1

/** Records the revisions shown to an administrator. Skips unedited claims and revisions recorded before. */
export async function recordSeenRevisions(
  db: Database,
  administratorId: string,
  shown: readonly ShownRevision[],
): Promise<void> {
  const edited = shown.filter(({ revision }) => revision > FIRST_REVISION)
  if (edited.length === 0) return
  const ids = edited.map(({ claimId }) => claimId)
  const revisions = edited.map(({ revision }) => revision)
  await sql`
    insert into seen_revisions as before (claim_id, administrator, revision)
    select n.claim_id, ${administratorId}, n.revision
    from unnest(${ids}::uuid[], ${revisions}::integer[]) as n (claim_id, revision)
    where not exists (select from seen_revisions s
      where s.claim_id = n.claim_id and s.administrator = ${administratorId} and s.revision >= n.revision)
    order by n.claim_id
    on conflict (claim_id, administrator) do update
      set revision = greatest(before.revision, excluded.revision), at = now()`.execute(db)
}

/** @throws refusal `claim_changed` when the proof was edited since the reviewer saw it. */
export async function refuseIfChanged(tx: Tx, claim: LockedClaim, action: DecisionAction): Promise<void> {
  const seen = action.revision ?? String(await readSeenRevision(tx, claim.id, action.reviewer.userId))
  if (seen !== String(claim.revision)) throw refuse('claim_changed')
}

async function readSeenRevision(tx: Tx, claimId: string, administratorId: string): Promise<number> {
  const seen = await tx
    .selectFrom('seen_revisions')
    .select('revision')
    .where('claim_id', '=', claimId)
    .where('administrator', '=', administratorId)
    .executeTakeFirst()
  return seen?.revision ?? FIRST_REVISION
}
