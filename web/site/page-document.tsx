import type { ComponentProps } from 'react'
import { MAIN_ID } from '#web/features/layout/layout.ts'
import { SiteFooter } from '#web/features/layout/site-footer.tsx'
import { SiteHeader } from '#web/features/layout/site-header.tsx'
import { ROUTES } from '#web/routes.ts'
import { HtmlDocument } from './html-document.tsx'
import { Island } from './islands.tsx'
import { LanguageOffer } from './language-offer.tsx'
import { LinkedData } from './linked-data.tsx'
import type { PagePart } from './site-context.ts'

type PageDocumentProps = Pick<
  ComponentProps<typeof HtmlDocument>,
  'context' | 'title' | 'description' | 'id' | 'isIndexed' | 'isTranslated' | 'preview' | 'children'
> & {
  /** The path that the navigation shows as current. */
  current: string
  /** The page's own path; null if it is in one language only, so that the language switch leads to Home. */
  path: string | null
  parts?: readonly PagePart[] | undefined
  script?: string
}

export function PageDocument({ current, path, parts = [], script, children, ...head }: PageDocumentProps) {
  const { context, id } = head
  const { campaign } = context
  const { siteScript, siteStyles, partStyles, fonts } = context.assets
  const switchPath = path ?? ROUTES.home.path
  return (
    <HtmlDocument
      {...head}
      script={script ?? siteScript}
      isPrerendered
      styles={[...siteStyles, ...parts.map((part) => partStyles[part])]}
      fonts={fonts}
    >
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
      {id === ROUTES.home.id && <LinkedData {...context} />}
    </HtmlDocument>
  )
}
