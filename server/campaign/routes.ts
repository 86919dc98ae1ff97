import * as contract from '#contract/campaign.ts'
import type { Deps } from '../deps.ts'
import { route, type Route } from '../platform/http/route.ts'
import { readCampaign } from './read-campaign.ts'

export const campaignRoutes = (deps: Deps): Route[] => [
  route(contract.campaign, async () => ({ data: await readCampaign(deps) })),
]
