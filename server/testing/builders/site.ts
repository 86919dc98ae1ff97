import Fastify from 'fastify'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { createPublicAnswers } from '#server/platform/http/public-answers/public-answers.ts'
import { refuse } from '#server/platform/refusal.ts'
import { lifeByDates } from '#server/site/live/life.ts'
import type { ShareCard } from '#server/site/pictures/share-card.ts'
import { registerSite, type SiteOptions } from '#server/site/register-site.ts'
import { unreadContext } from '#server/site/site-parts.ts'
import { ENDPOINTS } from '#server/testing/endpoints.ts'
import type { ShareCards, SiteAssets } from '#web/site/site-context.ts'

export const SITE = 'https://almanac.example'

/** A site without a database. It knows only the campaign's dates, and caches no answers. */
export const siteWithoutDatabase = (campaign: CampaignFile): SiteOptions => ({
  campaign,
  publicUrl: SITE,
  endpoints: ENDPOINTS,
  isDev: false,
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

export async function startSite(t: { after(end: () => Promise<void>): void }, options: SiteOptions) {
  const app = Fastify()
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ code: 'not_found' }))
  const render = await registerSite(app, options)
  t.after(() => app.close())
  return { app, render, get: (url: string) => app.inject({ url }) }
}

export const EXAMPLE_CARD: ShareCard = {
  locale: 'en',
  headline: 'Tokenomics',
  text: 'Facts.',
  brand: ['Brand'],
  foot: 'almanac.example',
  symbol: 'PF',
}

/** The context of an English page, with made-up URLs of assets, for tests that render one themselves. */
export const contextOf = (campaign: CampaignFile, cards: ShareCards = {}) =>
  unreadContext({ campaign, publicUrl: SITE, endpoints: ENDPOINTS, readCards: () => cards }, ASSETS, 'en')

const ASSETS: SiteAssets = {
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
