import type { Tx } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'

export type Credit = {
  campaignId: string
  userId: string
  kind: 'pf' | 'pls' | 'referral'
  amount: number
  /** The claim whose approval pays. */
  claimId: string
}

/**
 * Writes credits to the ledger, from which balances and board follow in the same transaction (by
 * trigger). A claim pays each kind to each person once: the database refuses a second credit.
 */
export async function credit(tx: Tx, credits: readonly Credit[]): Promise<void> {
  const paid = credits.filter(({ amount }) => amount !== 0)
  if (paid.length === 0) return
  await tx
    .insertInto('ledger')
    .values(
      paid.map(({ campaignId, userId, kind, amount, claimId }) => ({
        id: newId(),
        campaign_id: campaignId,
        user_id: userId,
        kind,
        amount,
        claim_id: claimId,
      })),
    )
    .execute()
}
