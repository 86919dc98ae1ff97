import { sql } from 'kysely'
import { announceClaim } from '#server/domain/events/announce.ts'
import type { Tx } from '#server/platform/database/database.ts'

/**
 * Erases the proofs of decided claims, what was found and what was written about them; attempt, times and
 * decision stay. A claim's id takes the place of its proof, since no two live claims may share one; the link,
 * which has to be to X, becomes that of its home page.
 */
export async function eraseClaims(tx: Tx, claimIds: readonly string[]): Promise<void> {
  if (claimIds.length === 0) return
  await sql`
    update claims set wallet = 'deleted-' || id, telegram = 'deleted-' || id, twitter = 'deleted-' || id,
      post_id = 'deleted-' || id, retweet_link = 'https://x.com/', reason = null, held_for = null, risk = 0
    where id = any(${claimIds}::uuid[])`.execute(tx)
  // After the update, whose trigger reserves the new values of a live claim in claim_identifiers.
  for (const table of [
    'claim_identifiers',
    'appeals',
    'evidence',
    'signals',
    'post_texts',
    'review_locks',
    'seen_revisions',
  ] as const)
    await tx.deleteFrom(table).where('claim_id', 'in', claimIds).execute()
  await tx.updateTable('claim_events').set({ reason: null }).where('claim_id', 'in', claimIds).execute()
  for (const id of claimIds) await announceClaim(tx, id)
}
