import type { Task } from '#contract/entities.ts'
import { mailUser } from '#server/domain/mail/send-later.ts'
import type { Deps } from '#server/deps.ts'
import { announce, announceClaim } from '#server/domain/events/announce.ts'
import { recheck } from '#server/domain/evidence/start-checks.ts'
import { record } from '#server/domain/journal/record.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { refuse } from '#server/platform/refusal.ts'
import { reverse } from '#server/domain/ledger/credit.ts'
import { retakeSlot } from '#server/domain/slots/take-slot.ts'
import { moveToFront } from '#server/domain/slots/waiting-list.ts'
import { queueClaimWebhooks } from '#server/domain/webhooks/queue.ts'
import { answerAppeal } from '../appeal.ts'
import { recordEvent } from '../claim-events.ts'
import { readTask } from '../claim.ts'
import { isSuperseded } from '../latest-claim.ts'
import { lockClaimForReview, type LockedClaim, refuseIfLocked, type ReviewAction } from './lock-claim.ts'
import { refusalForViolation } from '../submission/refusal-for-violation.ts'

/**
 * Undoes the last decision on a claim and returns it to review. An approval's credits and referral reward are
 * reversed in the ledger. A rejected claim gets its own slot back, or a free one ahead of the waiting list.
 * Without a free slot it stays rejected, and its participant moves to the front of the waiting list.
 */
export async function undo(deps: Deps, action: ReviewAction): Promise<Task> {
  const task = await inTransaction(deps.db, (tx) => undoInTransaction(tx, deps, action))
  deps.runSoon('claims')
  return task
}

/** Like {@link undo}. After a refusal, the caller has to roll back `tx`, or at least to a savepoint in it. */
export async function undoInTransaction(tx: Tx, deps: Deps, action: ReviewAction): Promise<Task> {
  try {
    const claim = await lockClaimForReview(tx, deps, action)
    if (claim.decided_at === null) throw refuse('nothing_to_undo')
    if (await isSuperseded(tx, claim)) throw refuse('claim_superseded')
    await refuseIfBanned(tx, claim)
    await refuseIfLocked(tx, action)
    const slot = claim.status === 'rejected' ? await retakeSlotOf(tx, claim) : claim.slot
    if (slot === undefined) await promiseNextSlot(tx, deps, { claim, ...action })
    else await reopen(tx, action, { claim, slot })
    await tx.deleteFrom('review_locks').where('claim_id', '=', claim.id).execute()
    await announceClaim(tx, claim.id)
    return await readTask(tx, claim.id)
  } catch (error) {
    const refusal = refusalForViolation(error)
    // A corrected claim was submitted concurrently.
    if (refusal?.code === 'already_claimed') throw refuse('claim_superseded')
    throw refusal ?? error
  }
}

/** A later ban waits for the claim's lock, which this transaction holds. */
async function refuseIfBanned(tx: Tx, { user_id }: LockedClaim): Promise<void> {
  const banned = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', user_id)
    .where('banned_at', 'is not', null)
    .executeTakeFirst()
  if (banned) throw refuse('participant_banned')
}

async function retakeSlotOf(tx: Tx, claim: LockedClaim): Promise<number | undefined> {
  const slot = await retakeSlot(tx, claim.campaign_id, claim.user_id)
  if (slot !== undefined) await announce(tx, 'slots')
  return slot
}

type SlotPromise = ReviewAction & { claim: LockedClaim }

/** @throws refusal `slots_gone` if the campaign is closed or the participant has the promise already. */
async function promiseNextSlot(tx: Tx, deps: Deps, { claim, reviewer, network }: SlotPromise): Promise<void> {
  if (!(await moveToFront(tx, deps, claim.user_id))) throw refuse('slots_gone')
  await answerAppeal(tx, claim.id)
  await record(tx, {
    actor: reviewer.userId,
    action: 'claim.promised_slot',
    subject: claim.id,
    before: journaledStateOf(claim),
    after: { status: claim.status },
    network,
  })
  await mailUser(tx, claim.user_id, 'claim-promised-slot')
}

const journaledStateOf = ({ status, reason_code: reason }: LockedClaim) => ({
  status,
  ...(reason ? { reason } : {}),
})

type Reopening = { claim: LockedClaim; slot: number }

async function reopen(
  tx: Tx,
  { reviewer, network }: ReviewAction,
  { claim, slot }: Reopening,
): Promise<void> {
  const status = claim.held_for ? 'held' : 'under_review'
  await tx
    .updateTable('claims')
    .set({ status, slot, reason_code: null, reason: null, decided_at: null, decided_by: null })
    .where('id', '=', claim.id)
    .execute()
  const reversed = await reverse(tx, claim.id, { actor: reviewer.userId, network })
  if (reversed > 0) await announce(tx, 'leaderboard')
  // While it was rejected, its participant could hand the proven wallet and Telegram account on to others.
  if (claim.status === 'rejected')
    await recheck(tx, claim.id, ['telegram', 'telegram-handle', 'wallet-owned'])
  await recordEvent(tx, { claimId: claim.id, what: 'reopened' })
  await queueClaimWebhooks(tx, 'claim.decided', claim.id, { decision: 'undone', reason: null })
  await record(tx, {
    actor: reviewer.userId,
    action: 'claim.reopened',
    subject: claim.id,
    before: journaledStateOf(claim),
    after: { status, reversed },
    network,
  })
  await mailUser(tx, claim.user_id, 'claim-reopened')
}
