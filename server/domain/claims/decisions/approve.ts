import type { Task } from '#contract/entities.ts'
import { type GrantedPoints, grantedPoints } from '#contract/claims/granted-points.ts'
import { mailUser } from '#server/domain/mail/send-later.ts'
import type { Deps } from '#server/deps.ts'
import { announce } from '#server/domain/events/announce.ts'
import { record } from '#server/domain/journal/record.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { refuse } from '#server/platform/refusal.ts'
import { credit } from '#server/domain/ledger/credit.ts'
import { rewardReferrer } from '#server/domain/referrals/referrer.ts'
import { readTask } from '../claim.ts'
import {
  type DecisionAction,
  lockClaimForReview,
  type LockedClaim,
  refuseIfHeldOrLocked,
} from './lock-claim.ts'
import { refuseIfChanged } from './optimistic-lock.ts'
import { recordDecision } from './record-decision.ts'

type Approval = DecisionAction & { amounts: GrantedPoints }

/** Writes credits, referral reward, journal and mail. Idempotent, also for concurrent approvals. */
export async function approve(deps: Deps, decision: Approval): Promise<Task> {
  const grant = grantedPoints(deps.campaign.airdrop)
  const { pfPoints, plsPoints } = decision.amounts
  if (pfPoints !== grant.pfPoints || plsPoints !== grant.plsPoints) throw refuse('wrong_points')
  return inTransaction(deps.db, async (tx) => {
    const claim = await lockClaimForReview(tx, deps, decision)
    const isRepeat = claim.status === 'approved'
    // A repeat changes nothing, so it needs no revision. A stale revision is refused all the same.
    if (!isRepeat || decision.revision !== undefined) await refuseIfChanged(tx, claim, decision)
    if (!isRepeat) await decide(tx, deps, decision, claim)
    return readTask(tx, claim.id)
  })
}

async function decide(tx: Tx, deps: Deps, decision: Approval, claim: LockedClaim): Promise<void> {
  if (claim.status === 'rejected') throw refuse('claim_rejected')
  await refuseIfHeldOrLocked(tx, claim, decision)
  await recordDecision(tx, { claimId: claim.id, by: decision.reviewer, status: 'approved' })
  await creditPoints(tx, deps, claim, decision)
  await record(tx, {
    actor: decision.reviewer.userId,
    action: 'claim.approved',
    subject: claim.id,
    before: { status: claim.status },
    after: { status: 'approved', ...decision.amounts },
    network: decision.network,
  })
  await mailUser(tx, claim.user_id, 'claim-approved', {
    pfPoints: String(decision.amounts.pfPoints),
    plsPoints: String(decision.amounts.plsPoints),
  })
}

async function creditPoints(
  tx: Tx,
  deps: Deps,
  claim: LockedClaim,
  { reviewer, network, amounts }: Approval,
): Promise<void> {
  const by = { actor: reviewer.userId, network }
  const { id: claimId, campaign_id: campaignId, user_id: userId } = claim
  const credits = [
    { campaignId, userId, kind: 'pf', amount: amounts.pfPoints, claimId },
    { campaignId, userId, kind: 'pls', amount: amounts.plsPoints, claimId },
  ] as const
  await credit(tx, credits, by)
  await rewardReferrer(tx, deps.liveCampaign.file, { claimId, campaignId, userId, by })
  await announce(tx, 'leaderboard')
}
