import { sql } from 'kysely'
import type { Task } from '#contract/entities.ts'
import type { Deps } from '../deps.ts'
import { announce } from '../events/announce.ts'
import { record } from '../journal/record.ts'
import { inTransaction, type Tx } from '../platform/database.ts'
import type { Caller } from '../platform/http/route.ts'
import { refuse } from '../platform/refusal.ts'
import { credit } from '../points/credit.ts'
import { rewardReferrer } from '../referrals/reward-referrer.ts'
import { asTask } from './claim.ts'

export type Amounts = { pfPoints: number; plsPoints: number }

type Decision = { claimId: string; amounts: Amounts; reviewer: Caller; network: string }

/** What approval grants in each of PF and PLS. */
export function grantOf({ campaign }: Deps): number {
  return campaign.airdrop.tasks.length * campaign.airdrop.pointsPerTask
}

/**
 * Verifies a claim: its credits, the reward of who invited, and the journal, all in one transaction and
 * once. A repeat, also at the same moment by another administrator, changes nothing.
 */
export async function approve(deps: Deps, decision: Decision): Promise<Task> {
  const grant = grantOf(deps)
  const { pfPoints, plsPoints } = decision.amounts
  if (pfPoints !== grant || plsPoints !== grant) throw refuse('wrong_points')
  return inTransaction(deps.db, async (tx) => {
    const decided = await decide(tx, decision)
    if (decided) await pay(tx, deps, decided, decision)
    if (decided) await journal(tx, decision, decided.before)
    return readTask(tx, decision.claimId)
  })
}

/** @returns the claim when this call decided it, undefined when it was approved before. */
async function decide(tx: Tx, { claimId, reviewer }: Decision) {
  // The row stays locked until the end: whoever comes second sees what the first decided.
  const claim = await tx
    .selectFrom('claims')
    .selectAll()
    .where('id', '=', claimId)
    .forUpdate()
    .executeTakeFirst()
  if (!claim) throw refuse('claim_not_found')
  if (claim.user_id === reviewer.userId) throw refuse('own_claim')
  if (claim.status === 'approved') return undefined
  if (claim.status === 'rejected') throw refuse('claim_rejected')
  await tx
    .updateTable('claims')
    .set({ status: 'approved', decided_at: sql`now()`, decided_by: reviewer.userId })
    .where('id', '=', claimId)
    .execute()
  return { id: claim.id, campaignId: claim.campaign_id, userId: claim.user_id, before: claim.status }
}

type Decided = { id: string; campaignId: string; userId: string; before: string }

async function pay(tx: Tx, deps: Deps, claim: Decided, { reviewer, network }: Decision): Promise<void> {
  const amount = grantOf(deps)
  const by = { actor: reviewer.userId, network }
  const { id: claimId, campaignId, userId } = claim
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

async function readTask(tx: Tx, claimId: string): Promise<Task> {
  const claim = await tx
    .selectFrom('claims as c')
    .selectAll('c')
    .select((['pf', 'pls'] as const).map((kind) => credited(kind).as(kind)))
    .where('c.id', '=', claimId)
    .executeTakeFirstOrThrow()
  return asTask(claim)
}

const credited = (kind: 'pf' | 'pls') =>
  sql<number>`coalesce((select sum(amount) from ledger l
    where l.claim_id = c.id and l.user_id = c.user_id and l.kind = ${sql.lit(kind)}), 0)::int8`
