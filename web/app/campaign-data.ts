import { readAppCampaign } from '#web/features/campaign/app-campaign.ts'

/** The campaign of this page; the build itself knows none. */
export const CAMPAIGN = readAppCampaign()
