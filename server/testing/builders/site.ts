import type { CampaignFile } from '#contract/campaign-file.ts'
import { createPublicAnswers } from '#server/platform/http/public-answers/public-answers.ts'
import { refuse } from '#server/platform/refusal.ts'
import { lifeByDates } from '#server/site/live/life.ts'
import type { SiteOptions } from '#server/site/register-site.ts'
import type { SiteAssets } from '#web/site/site-context.ts'

/** A site without a database: it knows only the dates of the campaign, and keeps no answer in memory. */
export const siteWithoutDatabase = (campaign: CampaignFile): SiteOptions => ({
  campaign,
  publicUrl: 'https://almanac.example',
  dev: false,
  publicAnswers: createPublicAnswers({ keepForMs: 0 }),
  findInviter: async () => undefined,
  countDrawing: async () => {},
  readHeads: async () => [],
  readProofs: async () => [],
  readLife: async () => lifeByDates(campaign),
  archive: {
    list: async () => [],
    read: async () => {
      throw refuse('campaign_not_found')
    },
  },
})

/** Made-up URLs of built assets, for tests that render pages without a build. */
export const siteAssets: SiteAssets = {
  icon: '/i.svg',
  siteStyles: [],
  partStyles: {
    docs: '/docs.css',
    allocation: '/assets/allocation-1.css',
    'small-print': '/assets/small-print-1.css',
  },
  appStyles: [],
  fonts: [],
  siteScript: '/s.js',
  appScript: '/a.js',
  appImports: [],
  checkScript: '/assets/check-1.js',
  checkStyle: '/assets/check-1.css',
}
