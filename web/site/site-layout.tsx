import type { ReactNode } from 'react'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { MAIN_ID } from '#web/features/layout/chrome.ts'
import { SiteFooter } from '#web/features/layout/site-footer.tsx'
import { SiteHeader } from '#web/features/layout/site-header.tsx'
import { Island } from './island.tsx'
import { LanguageOffer } from './language-offer.tsx'

/** Header and footer of a page. */
export function SiteLayout({
  campaign,
  current,
  path = current,
  children,
}: {
  campaign: CampaignFile
  current: string
  /** Its own path, if that is not `current`. */
  path?: string
  children: ReactNode
}) {
  return (
    <>
      <LanguageOffer path={path} />
      <SiteHeader
        campaign={campaign}
        current={current}
        menu={<Island name="SideMenu" props={{ current, path }} when="touch" />}
      />
      <main id={MAIN_ID} tabIndex={-1}>
        {children}
      </main>
      <SiteFooter
        campaign={campaign}
        current={current}
        path={path}
        themeSwitch={<Island name="ThemeSwitch" props={{}} />}
        heartbeat={<Island name="Heartbeat" props={{}} />}
      />
    </>
  )
}
