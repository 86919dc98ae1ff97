import { sql } from 'kysely'
import { announceClaim } from '#server/domain/events/announce.ts'
import type { Tx } from '#server/platform/database/database.ts'

/**
 * Erases the proofs of decided claims, and what was found and written about them. Their attempts, times and
 * decisions stay. Wallets, handles and posts have to be unique among live claims, so each is replaced with
 * the claim's id. The link has to lead to X, so it is replaced with the home page of X.
 */
export async function eraseClaims(tx: Tx, claimIds: readonly string[]): Promise<void> {
  if (claimIds.length === 0) return
  await sql`
    update claims set wallet = 'deleted-' || id, telegram = 'deleted-' || id, twitter = 'deleted-' || id,
      post_id = 'deleted-' || id, retweet_link = 'https://x.com/', reason = null, held_for = null, risk = 0
    where id = any(${claimIds}::uuid[])`.execute(tx)
  // After the update: its trigger adds the new values of an approved claim to claim_identifiers.
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
