import { sql } from 'kysely'
import type { Rejection } from '#contract/claims/claim-history.ts'
import { announceClaim } from '#server/domain/events/announce.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { queueClaimWebhooks } from '#server/domain/webhooks/queue.ts'
import { answerAppeal } from '../appeal.ts'
import { recordEvent } from '../claim-events.ts'

type DecisionRecord = { claimId: string; by: { userId: string | null } } & (
  | { status: 'approved'; rejection?: undefined }
  | { status: 'rejected'; rejection: Rejection }
)

/** Updates the claim with all that depends on its decision: review lock, appeal, timeline and webhooks. */
export async function recordDecision(tx: Tx, decided: DecisionRecord): Promise<void> {
  const { claimId, by, status, rejection } = decided
  const reasonCode = rejection?.code ?? null
  await tx
    .updateTable('claims')
    .set({
      status,
      reason_code: reasonCode,
      reason: rejection?.text ?? null,
      decided_at: sql`now()`,
      decided_by: by.userId,
      review_started_at: sql`coalesce(review_started_at, now())`,
    })
    .where('id', '=', claimId)
    .execute()
  await tx.deleteFrom('review_locks').where('claim_id', '=', claimId).execute()
  await answerAppeal(tx, claimId)
  await recordEvent(tx, { claimId, what: status, rejection })
  await announceClaim(tx, claimId)
  await queueClaimWebhooks(tx, 'claim.decided', claimId, { decision: status, reason: reasonCode })
}
