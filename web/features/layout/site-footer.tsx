import type { ReactNode } from 'react'
import { linkFor } from '#contract/campaign-file.ts'
import { LAYOUT } from '#messages/layout.js'
import { LanguageSwitch } from '#web/features/language/language-switch.tsx'
import { DOCS_PATH } from '#web/docs-path.ts'
import { NAVIGATION, ROUTES, SMALL_PRINT } from '#web/routes.ts'
import { ExternalLink } from '#web/ui/external-link.tsx'
import { Mascot } from '#web/ui/pip.tsx'
import { Pulse } from '#web/ui/pulse.tsx'
import type { LayoutCampaign, ScreenLinkElement } from './layout.ts'
import { PageLinks } from './page-links.tsx'

type SiteFooterProps = {
  campaign: LayoutCampaign
  /** The path whose link is marked as the current page; none in the application. */
  current?: string
  /** The path that the language switch offers in other languages. */
  path: string
  /** Passed in, because pages render islands and the application ordinary components. So is `heartbeat`. */
  themeSwitch: ReactNode
  heartbeat?: ReactNode
  screenLink?: ScreenLinkElement
}

export function SiteFooter(props: SiteFooterProps) {
  const { campaign, current, path, themeSwitch, heartbeat, screenLink: ScreenLink = 'a' } = props
  const { token, chain, links, texts } = campaign
  return (
    <footer className="mt-24 pb-10">
      <Pulse beatAt="end" />
      <div className="page grid grid-cols-2 gap-x-8 gap-y-10 pt-10 lg:grid-cols-12">
        <div className="col-span-full max-w-[44ch] lg:col-span-4">
          <p className="flex items-center gap-2.5 font-display text-lg font-extrabold">
            <Mascot pose="face" className="size-8" />
            {token.name}
          </p>
          <p className="mt-4 text-sm text-ink-soft">{texts.risk}</p>
          {/* True until the campaign file has the address of the real contract. */}
          {token.placeholder && <p className="mt-3 text-sm text-ink-soft">{LAYOUT.placeholderCampaign}</p>}
        </div>
        <nav aria-label={LAYOUT.pages} className="col-span-full lg:col-span-5 lg:col-start-6">
          <p className="label mb-2">{LAYOUT.pages}</p>
          <ul className="gap-x-8 text-sm min-[15rem]:columns-2">
            <PageLinks routes={NAVIGATION} current={current} className="footer-link" />
            <li>
              <ScreenLink href={ROUTES.leaderboard.path} className="footer-link">
                {ROUTES.leaderboard.name}
              </ScreenLink>
            </li>
            <PageLinks
              routes={[...SMALL_PRINT, { path: DOCS_PATH, name: LAYOUT.docs }]}
              current={current}
              className="footer-link"
            />
          </ul>
        </nav>
        <div className="col-span-full lg:col-span-2">
          <p className="label mb-2">{LAYOUT.elsewhere}</p>
          <ul className="text-sm">
            <li>
              <ExternalLink href={token.socials.twitter} className="footer-link">
                {LAYOUT.twitter}
              </ExternalLink>
            </li>
            <li>
              <ExternalLink href={token.socials.telegram} className="footer-link">
                {LAYOUT.telegram}
              </ExternalLink>
            </li>
            <li>
              <ExternalLink href={linkFor(links.chart, token.contract)} className="footer-link">
                {LAYOUT.liveChart}
              </ExternalLink>
            </li>
          </ul>
        </div>
      </div>
      <div className="page mt-10">
        <LanguageSwitch path={path} className="border-t border-hairline pt-3" />
        <div className="flex flex-wrap items-center justify-between gap-4 pt-3 text-sm text-ink-soft">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <p>{LAYOUT.builtOn({ chain: chain.name, id: chain.id })}</p>
            {heartbeat}
          </div>
          {themeSwitch}
        </div>
      </div>
    </footer>
  )
}
