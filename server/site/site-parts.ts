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

/** Shared by all pages. Changes while the server runs, so read it again for each page. */
export type SiteSettings = Pick<SiteContext, 'campaign' | 'publicUrl' | 'endpoints' | 'lookStyle'> & {
  /** The share picture of each route in a language. */
  readCards: (locale: Locale) => ShareCards
}

export type SiteParts = {
  /** Matches URLs that get a refusal, not the page “not found”, if they are unknown. */
  excluded: RegExp
  /** The published heads of the journal: its newest hashes. */
  readHeads: ReadHeads
  readProofs: ReadProofs
  /** The campaign's stage, pause and results. */
  readLife: ReadLife
  archive: ArchiveReader
  publicAnswers: PublicAnswers
}

/** For files with a constant URL. Browsers check each time whether their copy is current. */
export const FILE_OPTIONS = { headers: { 'cache-control': 'no-cache' }, compression: 'best' } as const

/** The content of a page for which nothing has been read from the database. */
export const unreadContext = (settings: SiteSettings, assets: SiteAssets, locale: Locale): SiteContext => ({
  ...settings,
  assets,
  cards: settings.readCards(locale),
  heads: [],
  life: lifeByDates(settings.campaign),
  archive: [],
  proofs: [],
})

/** What a page shows of a draft of the campaign. */
export async function previewOf(page: PreviewPage, campaign: CampaignFile, readProofs: ReadProofs) {
  const route = Object.values<Route>(ROUTES).find(({ id }) => id === page) ?? ROUTES.home
  return { route, shown: { campaign, life: lifeByDates(campaign), proofs: await readProofs() } }
}
