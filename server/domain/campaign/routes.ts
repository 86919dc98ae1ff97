import * as contract from '#contract/campaign.ts'
import type { Deps } from '#server/deps.ts'
import { route, type Route } from '#server/platform/http/route.ts'
import { readCampaign } from './read-campaign.ts'

export const campaignRoutes = ({ campaign, publicReads }: Deps): Route[] => [
  route(contract.campaign, async () => ({
    data: await publicReads.read((db) => readCampaign({ db, campaign })),
  })),
]
