import { descriptionOf } from '#web/content/site/page-descriptions.ts'
import type { ReactNode } from 'react'
import { directionOf } from '#contract/locales.ts'
import { LOCALE } from '#messages/locale.js'
import { ROUTES, routeText, SMALL_PRINT } from '#web/routes.ts'
import { HomeLink } from '#web/features/layout/home-link.tsx'
import { MAIN_ID } from '#web/features/layout/layout.ts'
import { PageLinks } from '#web/features/layout/page-links.tsx'
import { LanguageSwitch } from '#web/features/language/language-switch.tsx'
import { LAYOUT } from '#messages/layout.js'
import { HeadStart, LinkPreviewTags, ThemeColors } from '../html-document.tsx'
import type { SiteContext } from '../site-context.ts'
import { CheckPage } from './check-page.tsx'

/**
 * The whole page of `/check`, which is sandboxed, because it calls any node that a visitor names: classic
 * scripts and style sheets, no fonts, no pictures. Links open in the same tab, because a sandbox cannot open
 * another.
 */
export function CheckDocument({ context }: { context: SiteContext }): ReactNode {
  const { campaign, assets } = context
  const { token, texts } = campaign
  const head = {
    context,
    title: routeText(ROUTES.check.title, token),
    description: routeText(descriptionOf(ROUTES.check), token),
    id: ROUTES.check.id,
    isIndexed: ROUTES.check.isIndexed,
  }
  return (
    <html lang={LOCALE} dir={directionOf(LOCALE)} data-sandbox="">
      <head>
        <HeadStart {...head} />
        <LinkPreviewTags {...head} />
        <ThemeColors context={context} />
        <link rel="stylesheet" href={assets.checkStyle} />
        {context.lookStyle && <link rel="stylesheet" href={context.lookStyle} />}
        <script src={assets.checkScript} defer />
      </head>
      <body>
        <header className="page flex h-(--header-height) items-center">
          <HomeLink name={token.name} />
        </header>
        <main id={MAIN_ID} className="page">
          <CheckPage context={context} />
        </main>
        <nav aria-label={LAYOUT.pages} className="page pt-16 pb-10">
          <ul className="flex flex-wrap gap-x-6 border-t-2 border-ink pt-4 text-sm">
            <PageLinks
              routes={[ROUTES.home, ROUTES.tokenomics, ...SMALL_PRINT]}
              current={ROUTES.check.path}
              className="footer-link"
            />
          </ul>
          <LanguageSwitch path={ROUTES.check.path} className="mt-3 border-t border-hairline pt-3" />
          <p className="mt-4 max-w-[64ch] text-sm text-ink-soft">{texts.risk}</p>
        </nav>
      </body>
    </html>
  )
}
