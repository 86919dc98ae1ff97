import type { CampaignFile } from '#contract/campaign-file.ts'
import { LAYOUT } from '#messages/layout.js'
import { toAppCampaign } from '#web/features/campaign/app-campaign.ts'
import { HomeLink } from '#web/features/layout/home-link.tsx'
import { MAIN_ID } from '#web/features/layout/layout.ts'
import { SiteFooter } from '#web/features/layout/site-footer.tsx'
import { SiteHeader } from '#web/features/layout/site-header.tsx'
import { SideMenu } from '#web/features/layout/side-menu.tsx'
import { ThemeSwitch } from '#web/features/theme/theme-switch.tsx'
import { ROUTES, type Route } from '#web/routes.ts'
import { RichText, TextLink } from '#web/ui/text/rich-text.tsx'
import { LanguageOffer } from './language-offer.tsx'
import { JsonScript } from './linked-data.tsx'

/** The page in which the application starts. A frame in `#root` keeps things in place until it renders. */
export function AppShell({ campaign, route }: { campaign: CampaignFile; route: Route }) {
  return (
    <>
      <JsonScript id="campaign" value={toAppCampaign(campaign)} />
      {route.isIndexed && <LanguageOffer path={route.path} />}
      <div id="root">
        {route.layout === 'shared' ? (
          <>
            <SiteHeader
              campaign={campaign}
              current={route.path}
              menu={<SideMenu current={route.path} path={route.path} />}
            />
            <NeedsScript />
            <main id={MAIN_ID} tabIndex={-1} aria-busy="true" className="page screen-outline min-h-[70dvb]" />
            <SiteFooter campaign={campaign} path={route.path} themeSwitch={<ThemeSwitch />} />
          </>
        ) : (
          <>
            <header className="page flex h-(--header-height) items-center">
              <HomeLink name={campaign.token.name} />
            </header>
            <NeedsScript />
            <main id={MAIN_ID} tabIndex={-1} aria-busy="true" className="page screen-outline" />
          </>
        )}
      </div>
    </>
  )
}

/** Outside `main`, which is marked as busy until the application has rendered: without scripts, forever. */
function NeedsScript() {
  return (
    <noscript>
      <p className="page pt-10 text-lg sm:pt-14">
        <RichText text={LAYOUT.needsScript} tags={{ home: <TextLink href={ROUTES.home.path} /> }} />
      </p>
    </noscript>
  )
}
