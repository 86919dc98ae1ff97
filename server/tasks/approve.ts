import type { Task } from '#contract/entities.ts'
import { writeTo } from '../accounts/write-to.ts'
import type { Deps } from '../deps.ts'
import { announce } from '../events/announce.ts'
import { record } from '../journal/record.ts'
import { inTransaction, type Tx } from '../platform/database.ts'
import { refuse } from '../platform/refusal.ts'
import { credit } from '../points/credit.ts'
import { rewardReferrer } from '../referrals/reward-referrer.ts'
import { note } from './claim-events.ts'
import { readTask } from './claim.ts'
import { type Deciding, openClaim, type OpenClaim, refuseIfChanged, refuseUnlessFree } from './open-claim.ts'
import { settleDecision } from './settle-decision.ts'

export type Amounts = { pfPoints: number; plsPoints: number }

type Decision = Deciding & { amounts: Amounts }

/** What approval grants in each of PF and PLS. */
export function grantOf({ campaign }: Deps): number {
  return campaign.airdrop.tasks.length * campaign.airdrop.pointsPerTask
}

/**
 * Verifies a claim as its reviewer saw it: its credits, the reward of who invited, the journal and the mail, all in one transaction
 * and once. A repeat, also at the same moment by another administrator, changes nothing.
 */
export async function approve(deps: Deps, decision: Decision): Promise<Task> {
  const grant = grantOf(deps)
  const { pfPoints, plsPoints } = decision.amounts
  if (pfPoints !== grant || plsPoints !== grant) throw refuse('wrong_points')
  return inTransaction(deps.db, async (tx) => {
    const claim = await openClaim(tx, deps, decision)
    const isRepeat = claim.status === 'approved'
    if (!isRepeat || decision.revision !== undefined) await refuseIfChanged(tx, claim, decision)
    if (!isRepeat) await decide(tx, deps, decision, claim)
    return readTask(tx, claim.id)
  })
}

async function decide(tx: Tx, deps: Deps, decision: Decision, claim: OpenClaim): Promise<void> {
  if (claim.status === 'rejected') throw refuse('claim_rejected')
  await refuseUnlessFree(tx, claim, decision)
  await settleDecision(tx, { claimId: claim.id, by: decision.reviewer, status: 'approved' })
  await pay(tx, deps, claim, decision)
  await note(tx, { claimId: claim.id, what: 'approved' })
  await journal(tx, decision, claim.status)
  await writeTo(tx, claim.user_id, 'claim-approved', { points: String(grantOf(deps)) })
}

async function pay(tx: Tx, deps: Deps, claim: OpenClaim, { reviewer, network }: Decision): Promise<void> {
  const amount = grantOf(deps)
  const by = { actor: reviewer.userId, network }
  const { id: claimId, campaign_id: campaignId, user_id: userId } = claim
  const kinds = ['pf', 'pls'] as const
  await credit(
    tx,
    kinds.map((kind) => ({ campaignId, userId, kind, amount, claimId })),
    by,
  )
  await rewardReferrer(tx, deps.campaign, { claimId, campaignId, userId, by })
  await announce(tx, 'leaderboard')
}

function journal(tx: Tx, { claimId, reviewer, network, amounts }: Decision, before: string): Promise<void> {
  return record(tx, {
    actor: reviewer.userId,
    action: 'claim.approved',
    subject: claimId,
    before: { status: before },
    after: { status: 'approved', ...amounts },
    network,
  })
}
