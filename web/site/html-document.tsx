import type { ReactNode } from 'react'
import type { SiteContext } from './site-context.ts'

type HtmlDocumentProps = {
  context: SiteContext
  title: string
  description: string
  /** Absent where a page has no address of its own. */
  path?: string
  indexed: boolean
  script: string
  /** Modules and faces to be fetched before the page asks for them. */
  modules?: readonly string[]
  fonts: readonly string[]
  children: ReactNode
}

/** A whole page. Nothing in it is inline: one blocking file for the theme, one style sheet, one module. */
export function HtmlDocument(props: HtmlDocumentProps) {
  const { context, title, description, path, indexed, script, modules = [], fonts, children } = props
  const { assets, publicUrl, campaign } = context
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <script src="/theme.js" />
        <title>{title}</title>
        <meta name="description" content={description} />
        {!indexed && <meta name="robots" content="noindex" />}
        {path !== undefined && <link rel="canonical" href={publicUrl + path} />}
        <meta property="og:type" content="website" />
        <meta property="og:site_name" content={campaign.token.name} />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        {path !== undefined && <meta property="og:url" content={publicUrl + path} />}
        <meta name="twitter:card" content="summary" />
        <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
        {fonts.map((font) => (
          <link key={font} rel="preload" as="font" type="font/woff2" crossOrigin="" href={font} />
        ))}
        {assets.styles.map((style) => (
          <link key={style} rel="stylesheet" href={style} />
        ))}
        {modules.map((module) => (
          <link key={module} rel="modulepreload" href={module} />
        ))}
        <script type="module" src={script} />
      </head>
      <body>{children}</body>
    </html>
  )
}
