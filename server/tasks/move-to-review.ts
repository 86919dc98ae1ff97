import type { Tx } from '../platform/database.ts'

/** Moves a claim from Submitted to Under Review once its evidence is there; one that went on already stays. */
export async function moveToReview(tx: Tx, claimId: string): Promise<void> {
  await tx
    .updateTable('claims')
    .set({ status: 'under_review' })
    .where('id', '=', claimId)
    .where('status', '=', 'submitted')
    .execute()
}
