import { readAppCampaign } from '#web/features/campaign/app-campaign.ts'

/** The campaign embedded in this page; the build does not depend on it. */
export const CAMPAIGN = readAppCampaign()
