import type { ComponentProps, ElementType } from 'react'
import type { CampaignFile } from '#contract/campaign-file.ts'

/** What header, menu and footer show of the campaign; the whole file fits, and so does the application's part. */
export type LayoutCampaign = Pick<CampaignFile, 'token' | 'chain' | 'links'> & {
  texts: Pick<CampaignFile['texts'], 'risk'>
}

/** Draws a link to a screen of the application: `a` on a page, the router's link inside the application. */
export type AppLink = ElementType<ComponentProps<'a'>>

export const SIDE_MENU_ID = 'side-menu'
export const MAIN_ID = 'main'
