import * as contract from '#contract/market.ts'
import type { Deps } from '#server/deps.ts'
import { publicRoute, type Route } from '#server/platform/http/route.ts'
import { refuse } from '#server/platform/refusal.ts'
import type { ReadPrice } from './read-price.ts'

export const marketRoutes = (deps: Pick<Deps, 'campaign'>, readPrice: ReadPrice): Route[] => [
  publicRoute(contract.tokenPairs, async ({ params }) => {
    // The endpoint's schema has already lowercased `params.contract`.
    const ourContract = deps.campaign.token.contract.toLowerCase()
    if (params.contract !== ourContract) throw refuse('unknown_contract')
    return { pairs: await readPrice() }
  }),
]
