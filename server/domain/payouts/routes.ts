import * as allocation from '#contract/allocation.ts'
import * as contract from '#contract/dashboard/payouts.ts'
import type { Rpc } from '#contract/proofs/rpc.ts'
import type { Deps } from '#server/deps.ts'
import { messages } from '#server/messages.ts'
import { fileRoute, publicRoute, route, type Route } from '#server/platform/http/route.ts'
import type { Background } from './background.ts'
import { readDrift } from './drift.ts'
import { download } from './export.ts'
import { freeze } from './freeze/freeze.ts'
import { listLeftOut, listRows, requireFreeze } from './list-rows.ts'
import { readOwnPayout } from './own-payout.ts'
import { createSummaryReader, readAllocation } from './read-allocation.ts'
import { readPayout } from './read-payout.ts'
import { reconcile } from './reconcile/reconcile.ts'
import { thaw } from './thaw.ts'

type Parts = {
  background: Background
  /** For reading transfers: see `createScanRpc`. */
  rpc: Rpc
}

export const payoutRoutes = (deps: Deps, { background, rpc }: Parts): Route[] => [
  publicRoute(allocation.allocationSummary, summaryVerb(deps)),
  publicRoute(allocation.allocation, async ({ params, query }) => ({
    data: await readAllocation(deps, params.wallet, query.campaign),
  })),
  route(contract.payout, async () => ({ data: await readPayout(deps) })),
  route(contract.freezePayout, async ({ body, caller, network }) => {
    const freezing = { actor: caller.userId, network, undecided: body.undecided }
    await background.start((signal) => freeze(deps, { ...freezing, signal }))
    return { data: await readPayout(deps), message: messages.payoutFreezing }
  }),
  route(contract.thawPayout, async ({ body, caller, network }) => {
    await thaw(deps, { actor: caller.userId, network, reason: body.reason })
    return { data: await readPayout(deps), message: messages.payoutThawed }
  }),
  route(contract.reconcilePayout, async ({ body, caller, network }) => {
    const reconciling = { ...body, actor: caller.userId, network }
    await background.start((signal) => reconcile(deps, rpc, { ...reconciling, signal }))
    return { data: await readPayout(deps), message: messages.payoutReconciling }
  }),
  fileRoute(contract.payoutPack, ({ caller, network }) => download(deps, { actor: caller.userId, network })),
  route(contract.payoutRows, ({ query }) => listRows(deps, query)),
  route(contract.payoutLeftOut, ({ query }) => listLeftOut(deps, query)),
  route(contract.payoutDrift, async () => ({
    data: await readDrift(deps.db, deps.campaign.id, await requireFreeze(deps)),
  })),
  route(contract.ownPayout, async ({ caller }) => ({ data: await readOwnPayout(deps, caller.userId) })),
]

function summaryVerb(deps: Deps) {
  const readSummary = createSummaryReader(deps)
  return async ({ query }: { query: { campaign?: string | undefined } }) => ({
    data: await readSummary(query.campaign),
  })
}
