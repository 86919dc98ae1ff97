import type { ReactNode } from 'react'
import { LAYOUT } from '#messages/layout.js'
import { NAVIGATION, ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Icon } from '#web/ui/icon.tsx'
import { HomeLink } from './home-link.tsx'
import { type LayoutCampaign, MAIN_ID, type ScreenLinkElement } from './layout.ts'
import { PageLinks } from './page-links.tsx'

type SiteHeaderProps = {
  campaign: LayoutCampaign
  current: string
  /** The side menu of small screens. Passed in, because pages hydrate it and the application renders it. */
  menu: ReactNode
  screenLink?: ScreenLinkElement
}

/** Header (navbar) of the shared layout: a link that skips it, then links to pages, Profile and Airdrop. */
export function SiteHeader({ campaign, current, menu, screenLink: ScreenLink = 'a' }: SiteHeaderProps) {
  return (
    <header className="site-header">
      <a
        href={`#${MAIN_ID}`}
        className="sr-only rounded-sm bg-ink px-4 py-3 font-semibold text-paper focus:not-sr-only focus:absolute focus:start-4 focus:top-3 focus:z-10"
      >
        {LAYOUT.skip}
      </a>
      <div className="page flex h-(--header-height) items-center gap-3 sm:gap-5">
        <HomeLink name={campaign.token.name} current={current} />
        <nav aria-label={LAYOUT.mainNavigation} className="ms-auto hidden lg:block">
          <ul className="flex items-center gap-7">
            <PageLinks routes={NAVIGATION} current={current} className="nav-link" />
          </ul>
        </nav>
        <div className="ms-auto flex items-center gap-2 sm:gap-3 lg:ms-4">
          <ScreenLink
            href={ROUTES.profile.path}
            aria-label={ROUTES.profile.name}
            aria-current={current === ROUTES.profile.path ? 'page' : undefined}
            className="grid size-11 place-items-center rounded-full border border-outline hover:border-ink aria-[current=page]:border-3 aria-[current=page]:border-accent-text aria-[current=page]:text-accent-text max-sm:hidden"
          >
            <Icon path="M16 8a4 4 0 1 1-8 0 4 4 0 1 1 8 0zM4.5 20.5c1-4 4-6 7.5-6s6.5 2 7.5 6" />
          </ScreenLink>
          {/* A phone with text at 200 % has room for this link only in the menu. */}
          <ScreenLink
            href={ROUTES.airdrop.path}
            aria-current={current === ROUTES.airdrop.path ? 'page' : undefined}
            className={buttonStyle(
              'primary',
              'compact',
              'px-4 max-[22rem]:px-2.5 max-[15rem]:hidden lg:min-h-11',
            )}
          >
            {ROUTES.airdrop.name}
          </ScreenLink>
          {menu}
        </div>
      </div>
    </header>
  )
}
