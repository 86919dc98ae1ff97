import { sql } from 'kysely'
import { announceClaim } from '../events/announce.ts'
import type { Tx } from '../platform/database.ts'

/** What every decision leaves behind: nobody holds the claim, its appeal is answered, reviewers are told. */
export async function settleDecision(tx: Tx, claimId: string): Promise<void> {
  await tx.deleteFrom('review_locks').where('claim_id', '=', claimId).execute()
  await tx
    .updateTable('appeals')
    .set({ answered_at: sql`now()` })
    .where('claim_id', '=', claimId)
    .where('answered_at', 'is', null)
    .execute()
  await announceClaim(tx, claimId)
}
