import type { AppCampaign } from '#web/features/campaign/app-campaign.ts'

const element = document.getElementById('campaign')
if (!element?.textContent) throw new Error('The page contains no campaign')

/** The campaign, embedded in the page. Not validated, because the server wrote it. */
export const CAMPAIGN = JSON.parse(element.textContent) as AppCampaign
