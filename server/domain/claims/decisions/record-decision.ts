import { sql } from 'kysely'
import type { Rejection } from '#contract/claims/claim-history.ts'
import { announceClaim } from '#server/domain/events/announce.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { queueClaimWebhooks } from '#server/domain/webhooks/queue.ts'
import { answerAppeal } from '../appeal.ts'

type DecisionRecord = { claimId: string; by: { userId: string | null } } & (
  | { status: 'approved' }
  | { status: 'rejected'; reason_code: Rejection['code']; reason: Rejection['text'] }
)

/**
 * Records a decision: updates the claim, releases its review lock, answers its appeal, announces the change
 * and queues the webhooks.
 */
export async function recordDecision(tx: Tx, { claimId, by, ...decided }: DecisionRecord): Promise<void> {
  await tx
    .updateTable('claims')
    .set({
      ...decided,
      decided_at: sql`now()`,
      decided_by: by.userId,
      review_started_at: sql`coalesce(review_started_at, now())`,
    })
    .where('id', '=', claimId)
    .execute()
  await tx.deleteFrom('review_locks').where('claim_id', '=', claimId).execute()
  await answerAppeal(tx, claimId)
  await announceClaim(tx, claimId)
  const reason = decided.status === 'rejected' ? decided.reason_code : null
  await queueClaimWebhooks(tx, 'claim.decided', claimId, { decision: decided.status, reason })
}
