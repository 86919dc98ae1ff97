import type { Rejection, RejectionReason } from '#contract/claim-history.ts'
import type { Task } from '#contract/entities.ts'
import { writeTo } from '../accounts/write-to.ts'
import type { Deps } from '../deps.ts'
import { record } from '../journal/record.ts'
import { rejectionReasons } from '../messages.ts'
import { inTransaction, type Tx } from '../platform/database.ts'
import { refuse, refuseField } from '../platform/refusal.ts'
import { keepSlot } from '../slots/keep-slot.ts'
import { note } from './claim-events.ts'
import { readTask } from './claim.ts'
import { type Deciding, openClaim, type OpenClaim, refuseIfChanged, refuseUnlessFree } from './open-claim.ts'
import { settleDecision } from './settle-decision.ts'

type Decision = Deciding & { reason: RejectionReason; text: string }

/**
 * Rejects a claim with a reason that its participant reads; the slot is kept for a day. A rejection that was
 * appealed can be upheld: it gets the new reason, and its time goes on.
 */
export async function reject(deps: Deps, decision: Decision): Promise<Task> {
  const rejection = inWords(decision)
  return inTransaction(deps.db, async (tx) => {
    const claim = await openClaim(tx, deps, decision)
    if (claim.status === 'approved') throw refuse('claim_approved')
    if (claim.status === 'rejected' && !(await hasOpenAppeal(tx, claim.id))) throw refuse('claim_rejected')
    await refuseIfChanged(tx, claim, decision)
    await refuseUnlessFree(tx, claim, decision)
    await decide(tx, decision, claim, rejection)
    return readTask(tx, claim.id)
  })
}

function inWords({ reason, text }: Decision): Rejection {
  if (reason === 'other' && text === '') throw refuseField('text', 'required')
  return { code: reason, text: [rejectionReasons[reason], text].filter((words) => words !== '').join(' ') }
}

async function hasOpenAppeal(tx: Tx, claimId: string): Promise<boolean> {
  const open = await tx
    .selectFrom('appeals')
    .select('claim_id')
    .where('claim_id', '=', claimId)
    .where('answered_at', 'is', null)
    .executeTakeFirst()
  return open !== undefined
}

async function decide(tx: Tx, decision: Decision, claim: OpenClaim, rejection: Rejection): Promise<void> {
  const isUpheld = claim.status === 'rejected'
  await settleDecision(tx, {
    claimId: claim.id,
    by: decision.reviewer,
    status: 'rejected',
    reason_code: rejection.code,
    reason: rejection.text,
  })
  if (!isUpheld) await keepSlot(tx, claim.campaign_id, claim.user_id)
  await note(tx, { claimId: claim.id, what: 'rejected', rejection })
  await record(tx, {
    actor: decision.reviewer.userId,
    action: isUpheld ? 'claim.rejection_upheld' : 'claim.rejected',
    subject: claim.id,
    before: { status: claim.status },
    after: { status: 'rejected', reason: rejection.code },
    // The text may tell of people, and the journal is for ever.
    details: { text: rejection.text },
    network: decision.network,
  })
  await writeTo(tx, claim.user_id, isUpheld ? 'claim-rejection-upheld' : 'claim-rejected', {
    reason: rejection.text,
  })
}
