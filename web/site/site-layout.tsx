import type { ReactNode } from 'react'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { MAIN_ID } from '#web/features/layout/layout.ts'
import { SiteFooter } from '#web/features/layout/site-footer.tsx'
import { SiteHeader } from '#web/features/layout/site-header.tsx'
import { ROUTES } from '#web/routes.ts'
import { Island } from './islands.tsx'
import { LanguageOffer } from './language-offer.tsx'

type SiteLayoutProps = {
  campaign: CampaignFile
  current: string
  /**
   * The page's own path; null if it is in one language only, or has no address, and the language switch leads
   * to Home.
   */
  path: string | null
  children: ReactNode
}

/** Header and footer of a page. */
export function SiteLayout({ campaign, current, path, children }: SiteLayoutProps) {
  const switchPath = path ?? ROUTES.home.path
  return (
    <>
      {path !== null && <LanguageOffer path={path} />}
      <SiteHeader
        campaign={campaign}
        current={current}
        menu={<Island name="SideMenu" props={{ current, path: switchPath }} />}
      />
      <main id={MAIN_ID} tabIndex={-1}>
        {children}
      </main>
      <SiteFooter
        campaign={campaign}
        current={current}
        path={switchPath}
        themeSwitch={<Island name="ThemeSwitch" props={{}} />}
        heartbeat={<Island name="Heartbeat" props={{}} />}
      />
    </>
  )
}
