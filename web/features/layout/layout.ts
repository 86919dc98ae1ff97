import type { ComponentProps, ElementType } from 'react'
import type { CampaignFile } from '#contract/campaign-file.ts'

export const SIDE_MENU_ID = 'side-menu'
export const MAIN_ID = 'main'

/** What header, menu and footer show of a campaign. Pages take it from the file, screens from AppCampaign. */
export type LayoutCampaign = Pick<CampaignFile, 'token' | 'chain' | 'links'> & {
  texts: Pick<CampaignFile['texts'], 'risk'>
}

/** How to render a link to a screen: `a` on a page, the router's link in the application. */
export type ScreenLinkElement = ElementType<ComponentProps<'a'>>
