import type { CampaignFile } from '#contract/campaign-file.ts'
import { refuse } from '#server/platform/refusal.ts'
import { lifeByDates } from '#server/site/live/life.ts'
import type { SiteOptions } from '#server/site/register-site.ts'

/** What pages read of a campaign without a database: its dates alone, and no earlier campaign. */
export const withoutDatabase = (campaign: CampaignFile): Pick<SiteOptions, 'readLife' | 'archive'> => ({
  readLife: async () => lifeByDates(campaign),
  archive: {
    list: async () => [],
    one: async () => {
      throw refuse('campaign_not_found')
    },
  },
})

/** An open campaign, for pages that are rendered directly. */
export const OPEN_LIFE = { stage: 'open', paused: null, minutesLeft: null, results: null } as const
