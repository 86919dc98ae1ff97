import * as contract from '#contract/tasks.ts'
import type { Deps } from '../deps.ts'
import { told } from '../messages.ts'
import { route, type Route } from '../platform/http/route.ts'
import { approve } from './approve.ts'
import { listSubmissions } from './list-submissions.ts'
import { submitProof } from './submit-proof.ts'

export const taskRoutes = (deps: Deps): Route[] => [
  route(contract.submitProof, async ({ body, caller, network }) => ({
    data: await submitProof(deps, caller.userId, body, network),
    message: told.taskSubmitted,
  })),
  route(contract.listSubmissions, async ({ query }) => listSubmissions(deps, query)),
  route(contract.approveClaim, async ({ params, body, caller, network }) => ({
    data: await approve(deps, { claimId: params.taskId, amounts: body, reviewer: caller, network }),
    message: told.taskApproved,
  })),
]
