import { isFinal, type Rejection, type RejectionReason } from '#contract/claims/claim-history.ts'
import type { Task } from '#contract/entities.ts'
import { MAX_ATTEMPTS } from '#contract/claims/claims.ts'
import { mailUser } from '#server/domain/mail/send-later.ts'
import type { Deps } from '#server/deps.ts'
import { announce } from '#server/domain/events/announce.ts'
import { record } from '#server/domain/journal/record.ts'
import { rejectionReasons } from '#server/messages/reasons.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { refuse, refuseField } from '#server/platform/refusal.ts'
import { freeSlot, keepSlot, resumeSlotExpiry } from '#server/domain/slots/keep-or-free-slot.ts'
import { hasOpenAppeal } from '../appeal.ts'
import { recordEvent } from '../claim-events.ts'
import { readTask } from '../claim.ts'
import {
  type DecisionAction,
  lockClaimForReview,
  type LockedClaim,
  refuseIfHeldOrLocked,
} from './lock-claim.ts'
import { refuseIfChanged } from './optimistic-lock.ts'
import { recordDecision } from './record-decision.ts'

type RejectionInput = DecisionAction & { reason: RejectionReason; text: string }

/**
 * Rejects a claim with a reason that its participant reads. Without anything to correct (a final reason), its
 * slot is freed at once. Otherwise the slot is kept for a day, not counting pauses of the campaign. A second
 * rejection, after an appeal, upholds the first one with the new reason, and the day is not extended.
 */
export async function reject(deps: Deps, decision: RejectionInput): Promise<Task> {
  const rejection = asRejection(decision)
  const task = await inTransaction(deps.db, async (tx) => {
    const claim = await lockClaimForReview(tx, deps, decision)
    if (claim.status === 'approved') throw refuse('claim_approved')
    if (claim.status === 'rejected' && !(await hasOpenAppeal(tx, claim.id))) throw refuse('claim_rejected')
    await refuseIfChanged(tx, claim, decision)
    await refuseIfHeldOrLocked(tx, claim, decision)
    await decide(tx, decision, claim, rejection)
    return readTask(tx, claim.id)
  })
  if (isFinal(rejection.code)) deps.runSoon('slots')
  return task
}

function asRejection({ reason, text }: RejectionInput): Rejection {
  if (reason === 'other' && text === '') throw refuseField('text', 'required')
  return { code: reason, text: [rejectionReasons[reason], text].filter(Boolean).join(' ') }
}

async function decide(
  tx: Tx,
  decision: RejectionInput,
  claim: LockedClaim,
  rejection: Rejection,
): Promise<void> {
  const isUpheld = claim.status === 'rejected'
  await recordDecision(tx, { claimId: claim.id, by: decision.reviewer, status: 'rejected', rejection })
  await updateSlot(tx, claim, rejection)
  await record(tx, {
    actor: decision.reviewer.userId,
    action: isUpheld ? 'claim.rejection_upheld' : 'claim.rejected',
    subject: claim.id,
    before: { status: claim.status },
    after: { status: 'rejected', reason: rejection.code },
    // Free text may hold personal data, and only the `details` can be erased from the journal.
    details: { text: rejection.text },
    network: decision.network,
  })
  await mailUser(tx, claim.user_id, isUpheld ? 'claim-rejection-upheld' : 'claim-rejected', {
    // The email words the reason in its reader's language.
    code: rejection.code,
    note: decision.text,
    next: nextStepAfter(rejection, claim),
  })
}

async function updateSlot(tx: Tx, claim: LockedClaim, { code }: Rejection): Promise<void> {
  const { id, campaign_id: campaignId, user_id: userId } = claim
  if (isFinal(code)) {
    if (!(await freeSlot(tx, campaignId, userId, 'claimed', 'kept'))) return
    await recordEvent(tx, { claimId: id, what: 'slot_freed' })
    await announce(tx, 'slots')
  } else if (claim.status === 'rejected') await resumeSlotExpiry(tx, campaignId, userId)
  else await keepSlot(tx, campaignId, userId)
}

function nextStepAfter({ code }: Rejection, { attempt }: LockedClaim) {
  if (isFinal(code)) return 'final'
  return attempt < MAX_ATTEMPTS ? 'correct' : 'last'
}
