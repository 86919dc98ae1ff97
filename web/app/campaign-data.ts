import { readAppCampaign } from '#web/features/campaign/app-campaign.ts'

/** The campaign, which the server embeds in the page, so that one build serves any campaign. */
export const CAMPAIGN = readAppCampaign()
