import type { CampaignFile } from '#contract/campaign-file.ts'

/** Addresses of what the build made, as a page names them. */
export type SiteAssets = {
  styles: readonly string[]
  /** The two faces of the first screen. */
  fonts: readonly string[]
  siteScript: string
  appScript: string
  /** What the application's entry imports at once, to be fetched beside it. */
  appImports: readonly string[]
}

/** All that rendering depends on; known only when the server starts. */
export type SiteContext = {
  campaign: CampaignFile
  /** The origin visitors see, without a slash at its end. */
  publicUrl: string
  assets: SiteAssets
}
