import * as contract from '#contract/dashboard/review.ts'
import type { Deps } from '#server/deps.ts'
import { messages } from '#server/messages/success-messages.ts'
import { type Call, route, type Route } from '#server/platform/http/route.ts'
import { reject } from '../claims/decisions/reject.ts'
import { acquireReviewLock, releaseReviewLock } from '../claims/decisions/review-lock.ts'
import { undo } from '../claims/decisions/undo.ts'
import { decideClaims } from './decide-claims.ts'
import { listClaims } from './list-claims.ts'
import { readClaim } from './read-claim.ts'
import { rejectCluster } from './reject-cluster.ts'
import { readSummary } from './summary.ts'

/** The route that approves a single claim is in ../claims/routes.ts. */
export const reviewRoutes = (deps: Deps): Route[] => [
  route(contract.reviewSummary, async () => ({ data: await readSummary(deps) })),
  route(contract.listClaims, async ({ query, caller }) => listClaims(deps, caller.userId, query)),
  route(contract.reviewClaim, async ({ params, caller, locale }) => ({
    data: await readClaim(deps, { reviewerId: caller.userId, ...params, locale }),
  })),
  route(contract.lockClaim, async (call) => ({
    data: { until: await acquireReviewLock(deps, reviewActionOf(call)) },
    message: messages.claimLocked,
  })),
  route(contract.unlockClaim, async (call) => {
    await releaseReviewLock(deps, reviewActionOf(call))
    return { message: messages.claimUnlocked }
  }),
  route(contract.rejectClaim, async (call) => ({
    data: await reject(deps, { ...reviewActionOf(call), ...call.body }),
    message: messages.claimRejected,
  })),
  route(contract.undoDecision, async (call) => {
    const task = await undo(deps, reviewActionOf(call))
    // Without a free slot the claim stays rejected, and its participant is promised the next one.
    const isPromised = task.status === 'rejected'
    return { data: task, message: isPromised ? messages.firstInLine : messages.decisionUndone }
  }),
  route(contract.decideClaims, async ({ body, caller, network, locale }) => ({
    data: await decideClaims(deps, { decision: body, reviewer: caller, network, locale }),
  })),
  route(contract.rejectCluster, async ({ params, body, caller, network, locale }) => ({
    data: await rejectCluster(deps, { ...params, decision: body, reviewer: caller, network, locale }),
  })),
]

type ReviewCall = Pick<Call<typeof contract.lockClaim>, 'params' | 'caller' | 'network'>

const reviewActionOf = ({ params, caller, network }: ReviewCall) => ({
  claimId: params.claimId,
  reviewer: caller,
  network,
})
