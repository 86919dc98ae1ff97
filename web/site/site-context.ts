import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Campaign } from '#contract/campaign.ts'
import type { CampaignRecord, Results } from '#contract/campaigns.ts'
import type { Locale } from '#contract/locales.ts'
import type { PublishedHead } from '#contract/journal.ts'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import type { ProofWithReasons } from '#contract/token-proofs.ts'

/** Parts of pages with their own style sheets, since the style sheet of all pages delays the first paint. */
export const PAGE_PARTS = ['allocation', 'docs', 'small-print'] as const
export type PagePart = (typeof PAGE_PARTS)[number]

/** The source of a part's style sheet: a path in the repository. */
export const styleOf = (part: PagePart): string => `web/styles/${part}.css`

/** The path of Vite's manifest of the client build in a language, relative to the client folder. */
export const manifestOf = (locale: Locale): string => `.vite/${locale}.json`

export type SiteAssets = {
  /** The product's icon as a data URL. */
  icon: string
  siteStyles: readonly string[]
  partStyles: Readonly<Record<PagePart, string>>
  appStyles: readonly string[]
  /** The body's font, then that of headings. */
  fonts: readonly string[]
  siteScript: string
  appScript: string
  /** What the application's entry imports statically, to be preloaded with it. */
  appImports: readonly string[]
  checkScript: string
  checkStyle: string
}

export type SharePicture = { url: string; alt: string }

/** Link-preview pictures by the `id` of a route. */
export type ShareCards = Readonly<Record<string, SharePicture>>

/** Replaces a route's title and picture in link previews of one URL. */
export type LinkPreview = { title: string; card: SharePicture }

/** Where the campaign is in its life. */
export type Life = Pick<Campaign, 'stage' | 'paused'> & {
  /** Until the opening; null unless the stage is `before`. */
  minutesLeft: number | null
  /** Null until the campaign is over. */
  results: Results | null
}

export type PageProps = Pick<SiteContext, 'campaign' | 'endpoints' | 'heads' | 'life' | 'archive' | 'proofs'>

/** All inputs of rendering that are unknown to the build. */
export type SiteContext = {
  campaign: CampaignFile
  /** At the time of the request. Shown on Home and in the rules. */
  life: Life
  /** The public origin, without a trailing slash. */
  publicUrl: string
  /** The calls of the API, which only its documentation lists. */
  endpoints: readonly Pick<Endpoint, 'method' | 'path' | 'summary'>[]
  assets: SiteAssets
  /** The style sheet of the campaign's own look; undefined for the product's. */
  lookStyle?: string | undefined
  cards: ShareCards
  /** The journal's daily hashes, newest first, which only the journal's page shows. */
  heads: readonly PublishedHead[]
  archive: readonly CampaignRecord[] // only on the page of the archive
  proofs: readonly ProofWithReasons[]
}
