import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Phase } from '#contract/phase.ts'
import type { PublishedHead } from '#contract/journal.ts'

/** Addresses of what the build made, as a page names them. */
export type SiteAssets = {
  icon: string
  siteStyles: readonly string[]
  appStyles: readonly string[]
  /** The text's face, then the headings'. A screen waits for its script, so it fetches only the first ahead. */
  fonts: readonly string[]
  siteScript: string
  appScript: string
  /** What the application's entry imports at once, to be fetched beside it. */
  appImports: readonly string[]
}

/** The picture that is shown where a link is shared. */
export type SharePicture = { url: string; alt: string }

/** The same by the route's path. */
export type ShareCards = Readonly<Record<string, SharePicture>>

/** What is shown instead of a route's own title and picture where one link of it is shared. */
export type Shared = { title: string; card: SharePicture }

/** All that rendering depends on; known only when the server starts. */
export type SiteContext = {
  campaign: CampaignFile
  /** Where the campaign stands while the page is served. */
  phase: Phase
  /** The origin visitors see, without a slash at its end. */
  publicUrl: string
  assets: SiteAssets
  cards: ShareCards
  /** How far the journal had come, newest day first; only its own page shows them. */
  heads: readonly PublishedHead[]
}
