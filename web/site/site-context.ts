import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Phase } from '#contract/phase.ts'
import type { PublishedHead } from '#contract/journal.ts'
import type { TokenProof } from '#contract/token-proofs.ts'

/** URLs of the built assets. */
export type SiteAssets = {
  icon: string
  siteStyles: readonly string[]
  appStyles: readonly string[]
  /** Body face first, then headings. A screen waits for its script, so it preloads only the first. */
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

/** Link-preview pictures by route path. */
export type ShareCards = Readonly<Record<string, SharePicture>>

/** Overrides a route's title and picture in link previews of one URL. */
export type Shared = { title: string; card: SharePicture }

/** All inputs of rendering that are known only when the server starts. */
export type SiteContext = {
  campaign: CampaignFile
  /** The campaign's phase at the time of the request. */
  phase: Phase
  /** The public origin, without a trailing slash. */
  publicUrl: string
  assets: SiteAssets
  cards: ShareCards
  /** Daily journal heads, newest first; only the journal page shows them. */
  heads: readonly PublishedHead[]
  /** What the chain says about the token, one proof for each claim. */
  proofs: readonly TokenProof[]
}
