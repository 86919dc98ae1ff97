import * as allocation from '#contract/allocation.ts'
import * as contract from '#contract/dashboard/payouts.ts'
import type { Rpc } from '#contract/token-proofs/rpc.ts'
import type { Locale } from '#contract/locales.ts'
import type { Deps } from '#server/deps.ts'
import { messages } from '#server/messages/success-messages.ts'
import { fileRoute, publicRoute, route, type Route } from '#server/platform/http/route.ts'
import { findCampaign } from '../campaign/campaign-records.ts'
import type { Background } from './background.ts'
import { readDrift } from './drift.ts'
import { download } from './export.ts'
import { freeze } from './freeze/freeze.ts'
import { listLeftOut, listRows } from './list-rows.ts'
import { requireFreeze } from './live-freeze.ts'
import { readOwnPayout } from './own-payout.ts'
import { createSummaryReader, readAllotment } from './read-allocation.ts'
import { readPayout } from './read-payout.ts'
import { reconcile } from './reconcile/reconcile.ts'
import { thaw } from './thaw.ts'

type PayoutDeps = {
  background: Background
  /** From `createScanRpc`, for reading transfers. */
  rpc: Rpc
}

export const payoutRoutes = (deps: Deps, { background, rpc }: PayoutDeps): Route[] => [
  publicRoute(allocation.allocationSummary, createSummaryOperation(deps)),
  publicRoute(allocation.allocation, async ({ params, query }) => ({
    data: await readAllotment(deps, params.wallet, query.campaign),
  })),
  route(contract.payout, async ({ query, locale }) => ({
    data: await readPayoutOf(deps, query, locale),
  })),
  route(contract.freezePayout, async ({ query, body, caller, network, locale }) => {
    const options = { actor: caller.userId, network, maxUndecided: body.undecided }
    const campaignDeps = await withCampaign(deps, query)
    await background.start((signal) => freeze(campaignDeps, { ...options, signal }))
    return { data: await readPayoutOf(deps, query, locale), message: messages.payoutFreezing }
  }),
  route(contract.thawPayout, async ({ query, body, caller, network, locale }) => {
    await thaw(await withCampaign(deps, query), { actor: caller.userId, network, reason: body.reason })
    return { data: await readPayoutOf(deps, query, locale), message: messages.payoutThawed }
  }),
  route(contract.reconcilePayout, async ({ query, body, caller, network, locale }) => {
    const options = { ...body, actor: caller.userId, network }
    const campaignDeps = await withCampaign(deps, query)
    await background.start((signal) => reconcile(campaignDeps, rpc, { ...options, signal }))
    return { data: await readPayoutOf(deps, query, locale), message: messages.payoutReconciling }
  }),
  fileRoute(contract.payoutPack, async ({ query, caller, network }) =>
    download(await withCampaign(deps, query), { actor: caller.userId, network }),
  ),
  route(contract.payoutRows, async ({ query }) => listRows(await withCampaign(deps, query), query)),
  route(contract.payoutLeftOut, async ({ query }) => listLeftOut(await withCampaign(deps, query), query)),
  route(contract.payoutDrift, async ({ query }) => {
    const live = await requireFreeze(await withCampaign(deps, query))
    return { data: await readDrift(deps.db, live) }
  }),
  route(allocation.ownPayout, async ({ caller }) => ({ data: await readOwnPayout(deps, caller.userId) })),
]

type Query = { campaign?: string | undefined }

/** The dependencies with the campaign that a call names. @throws refusal `campaign_not_found`. */
async function withCampaign(deps: Deps, { campaign: id }: Query): Promise<Deps> {
  return id === undefined ? deps : { ...deps, campaign: await findCampaign(deps.db, deps.campaign, id) }
}

async function readPayoutOf(deps: Deps, query: Query, locale: Locale) {
  const campaignDeps = await withCampaign(deps, query)
  return readPayout(campaignDeps, { isCurrent: campaignDeps.campaign.id === deps.campaign.id, locale })
}

function createSummaryOperation(deps: Deps) {
  const readSummary = createSummaryReader(deps)
  return async ({ query }: { query: Query }) => ({ data: await readSummary(query.campaign) })
}
