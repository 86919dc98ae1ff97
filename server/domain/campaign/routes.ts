import * as contract from '#contract/campaign.ts'
import type { Deps } from '#server/deps.ts'
import { publicRoute, type Route } from '#server/platform/http/route.ts'
import { readCampaign } from './read-campaign.ts'

export const campaignRoutes = ({ campaign, publicReads }: Deps): Route[] => [
  publicRoute(contract.campaign, async () => ({
    data: await publicReads.read((db) => readCampaign({ db, campaign })),
  })),
]
