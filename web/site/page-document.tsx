import type { ComponentProps, ReactNode } from 'react'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { MAIN_ID } from '#web/features/layout/layout.ts'
import { SiteFooter } from '#web/features/layout/site-footer.tsx'
import { SiteHeader } from '#web/features/layout/site-header.tsx'
import { ROUTES } from '#web/routes.ts'
import { HtmlDocument } from './html-document.tsx'
import { Island } from './islands.tsx'
import { LanguageOffer } from './language-offer.tsx'
import { LinkedData } from './linked-data.tsx'
import type { PagePart } from './site-context.ts'

type PagePaths = {
  /** The path that the navigation marks as the current page. */
  current: string
  /** The page's own path; null if it has none in other languages: the language switch then leads to Home. */
  path: string | null
}

type PageDocumentProps = PagePaths &
  Pick<
    ComponentProps<typeof HtmlDocument>,
    'context' | 'title' | 'description' | 'id' | 'isIndexed' | 'isTranslated' | 'preview' | 'children'
  > & {
    /** The parts whose style sheets the page links. */
    parts?: readonly PagePart[] | undefined
    /** By default, the script that most pages share. */
    script?: string
  }

/** A whole page: its head, and its content between header and footer. */
export function PageDocument({ current, path, parts = [], script, children, ...head }: PageDocumentProps) {
  const { context, id } = head
  const { siteScript, siteStyles, partStyles, fonts } = context.assets
  return (
    <HtmlDocument
      {...head}
      script={script ?? siteScript}
      isPrerendered
      styles={[...siteStyles, ...parts.map((part) => partStyles[part])]}
      fonts={fonts}
    >
      <SiteLayout campaign={context.campaign} current={current} path={path}>
        {children}
      </SiteLayout>
      {id === ROUTES.home.id && <LinkedData {...context} />}
    </HtmlDocument>
  )
}

type SiteLayoutProps = PagePaths & { campaign: CampaignFile; children: ReactNode }

function SiteLayout({ campaign, current, path, children }: SiteLayoutProps) {
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
