import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Campaign } from '#contract/campaign.ts'
import type { CampaignRecord, Results } from '#contract/campaigns.ts'
import type { Locale } from '#contract/locales.ts'
import type { PublishedHead } from '#contract/journal.ts'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import type { ProofWithReasons } from '#contract/token-proofs.ts'

/** Parts of some pages, each with a style sheet of its own: the one of all pages delays the first paint. */
export const PAGE_PARTS = ['allocation', 'docs', 'small-print'] as const
export type PagePart = (typeof PAGE_PARTS)[number]

/** The source of a part's style sheet, relative to the repository. */
export const styleOf = (part: PagePart): string => `web/styles/${part}.css`

/** Vite's manifest of a language's client build, in the client folder. */
export const manifestOf = (locale: Locale): string => `.vite/${locale}.json`

/** URLs of the built assets. */
export type SiteAssets = {
  icon: string
  siteStyles: readonly string[]
  partStyles: Readonly<Record<PagePart, string>>
  appStyles: readonly string[]
  /** Body face first, then headings. */
  fonts: readonly string[]
  siteScript: string
  appScript: string
  /** Static imports of the application's entry, to be preloaded with it. */
  appImports: readonly string[]
  checkScript: string
  checkStyle: string
}

/** Picture of a link preview. */
export type SharePicture = { url: string; alt: string }

/** Link-preview pictures by the `id` of a route. */
export type ShareCards = Readonly<Record<string, SharePicture>>

/** Overrides a route's title and picture in link previews of one URL. */
export type LinkPreview = { title: string; card: SharePicture }

export type Life = Pick<Campaign, 'stage' | 'paused'> & {
  /** Until the opening; null unless the stage is `before`. */
  minutesLeft: number | null
  /** Null until the campaign is over. */
  results: Results | null
}

/** What a marketing page may show. */
export type PageProps = Pick<SiteContext, 'campaign' | 'endpoints' | 'heads' | 'life' | 'archive' | 'proofs'>

/** All inputs of rendering that the build does not know. */
export type SiteContext = {
  campaign: CampaignFile
  /** Where the campaign is in its life at the time of the request; Home and the rules show it. */
  life: Life
  /** The public origin, without a trailing slash. */
  publicUrl: string
  /** The calls of the API; only its documentation lists them. */
  endpoints: readonly Pick<Endpoint, 'method' | 'path' | 'summary'>[]
  assets: SiteAssets
  /** The style sheet of the campaign's own look; undefined for the product's. */
  lookStyle?: string | undefined
  cards: ShareCards
  /** Daily journal heads, newest first; only the journal page shows them. */
  heads: readonly PublishedHead[]
  /** The archived campaigns; only the archive shows them. */
  archive: readonly CampaignRecord[]
  /** What the chain says about the token, one proof for each claim. */
  proofs: readonly ProofWithReasons[]
}
