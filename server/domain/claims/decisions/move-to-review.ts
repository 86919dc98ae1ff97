import { announceClaim } from '#server/domain/events/announce.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { recordEvent } from '../claim-events.ts'

export async function moveToReview(tx: Tx, claimId: string): Promise<void> {
  const moved = await tx
    .updateTable('claims')
    .set({ status: 'under_review' })
    .where('id', '=', claimId)
    .where('status', '=', 'submitted')
    .returning('id')
    .executeTakeFirst()
  if (moved) await recordEvent(tx, { claimId, what: 'under_review' })
  // Even if it was moved before, because its evidence is new.
  await announceClaim(tx, claimId)
}
