import type { ReactNode } from 'react'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { MAIN_ID } from '#web/features/layout/chrome.ts'
import { SiteFooter } from '#web/features/layout/site-footer.tsx'
import { SiteHeader } from '#web/features/layout/site-header.tsx'
import { Island } from './island.tsx'

/** Header and footer of a page. */
export function SiteLayout({
  campaign,
  current,
  children,
}: {
  campaign: CampaignFile
  current: string
  children: ReactNode
}) {
  return (
    <>
      <SiteHeader
        campaign={campaign}
        current={current}
        menu={<Island name="SideMenu" props={{ current }} when="touch" />}
      />
      <main id={MAIN_ID} tabIndex={-1}>
        {children}
      </main>
      <SiteFooter
        campaign={campaign}
        current={current}
        themeSwitch={<Island name="ThemeSwitch" props={{}} />}
        heartbeat={<Island name="Heartbeat" props={{}} />}
      />
    </>
  )
}
