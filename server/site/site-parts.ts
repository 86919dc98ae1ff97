import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Locale } from '#contract/locales.ts'
import type { PreviewPage } from '#contract/dashboard/settings.ts'
import { type Route, ROUTES } from '#web/routes.ts'
import type { ShareCards, SiteAssets, SiteContext } from '#web/site/site-context.ts'
import type { ReadHeads } from '../domain/journal/heads.ts'
import type { ReadProofs } from '../domain/token-proofs/read-proofs.ts'
import type { PublicAnswers } from '../platform/http/public-answers/public-answers.ts'
import type { ArchiveReader } from './archive-pages.ts'
import { lifeByDates, type ReadLife } from './live/life.ts'

/** What all pages share. Changes while the server runs: read it again for each page. */
export type SiteSettings = Pick<SiteContext, 'campaign' | 'publicUrl' | 'endpoints' | 'lookStyle'> & {
  /** The share picture of each route in a language. */
  readCards: (locale: Locale) => ShareCards
}

/** What serves and feeds the pages. */
export type SiteParts = {
  /** Matches paths below which an unknown address gets a refusal, not a page. */
  excluded: RegExp
  readHeads: ReadHeads
  readProofs: ReadProofs
  readLife: ReadLife
  archive: ArchiveReader
  publicAnswers: PublicAnswers
}

/** For a file whose URL stays the same: browsers ask each time whether their copy is current. */
export const FILE_OPTIONS = { headers: { 'cache-control': 'no-cache' }, compression: 'best' } as const

/** What a page shows as long as nothing has been read from the database. */
export const unreadContext = (settings: SiteSettings, assets: SiteAssets, locale: Locale): SiteContext => ({
  ...settings,
  assets,
  cards: settings.readCards(locale),
  heads: [],
  life: lifeByDates(settings.campaign),
  archive: [],
  proofs: [],
})

/** The route of a previewed page, and what it shows with a draft of the campaign. */
export async function previewOf(page: PreviewPage, campaign: CampaignFile, readProofs: ReadProofs) {
  const route = Object.values<Route>(ROUTES).find(({ id }) => id === page) ?? ROUTES.home
  return { route, shown: { campaign, life: lifeByDates(campaign), proofs: await readProofs() } }
}
