import * as contract from '#contract/claims/claims.ts'
import type { Deps } from '#server/deps.ts'
import { messages } from '#server/messages/success-messages.ts'
import { route, type Route } from '#server/platform/http/route.ts'
import { appeal } from './appeal.ts'
import { approve } from './decisions/approve.ts'
import { editClaim } from './submission/edit-claim.ts'
import { listClaimants } from './list-claimants.ts'
import { translateOwnClaim } from './translate-reasons.ts'
import { readOwnClaim } from './own-claim.ts'
import { submitProof } from './submission/submit-proof.ts'

export const claimRoutes = (deps: Deps, offersTelegram: boolean): Route[] => [
  route(contract.submitProof, async ({ body, caller, network }) => ({
    data: await submitProof(deps, caller.userId, body, network),
    message: messages.taskSubmitted,
  })),
  route(contract.ownClaim, async ({ caller, locale }) => {
    const own = await readOwnClaim(deps, caller.userId, offersTelegram)
    return { data: await translateOwnClaim(deps.db, own, locale) }
  }),
  route(contract.editClaim, async ({ params, body: { revision, ...proof }, caller }) => ({
    data: await editClaim(deps, { userId: caller.userId, claimId: params.taskId, proof, revision }),
    message: messages.taskEdited,
  })),
  route(contract.appeal, async ({ params, body, caller }) => {
    await appeal(deps, { userId: caller.userId, claimId: params.taskId, text: body.text })
    return { message: messages.appealed }
  }),
  route(contract.listClaimants, async ({ query, caller }) => listClaimants(deps, caller.userId, query)),
  route(contract.approveClaim, async ({ params, body: { revision, ...amounts }, caller, network }) => ({
    data: await approve(deps, { claimId: params.taskId, amounts, revision, reviewer: caller, network }),
    message: messages.taskApproved,
  })),
]
