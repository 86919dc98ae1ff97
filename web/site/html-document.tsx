import type { ReactNode } from 'react'
import { DARK, LIGHT } from './materials.ts'
import { SharedAs } from './shared-as.tsx'
import type { Shared, SiteContext } from './site-context.ts'

type HtmlDocumentProps = {
  context: SiteContext
  title: string
  description: string
  /** Absent where a page has no address of its own. */
  path?: string
  indexed: boolean
  /** Shown where this very link is shared, instead of title and picture of the page. */
  shared?: Shared | undefined
  script: string
  /** Whether the body is all there without the script, which then comes after the first paint. */
  isPrinted: boolean
  styles: readonly string[]
  /** Modules and faces to be fetched before the page asks for them. */
  modules?: readonly string[]
  fonts: readonly string[]
  children: ReactNode
}

/**
 * A whole page. Nothing in it is inline: one blocking file for the theme, one style sheet, one module.
 *
 * static/head.js runs before the first paint, so that the chosen theme never flashes, and keeps who invited; once
 * more when a page that was opened ahead of its visitor is seen, who may have chosen another theme since. It asks
 * for a style because Chromium decides on the cross-fade from the page before without a look at a style sheet that
 * has just arrived, and gives it up with an error that nobody can catch: to ask is to make it look. On a page that
 * is printed whole it loads the module once the first paint is seen, which style sheet and faces then do not share
 * a thin line with (where nobody tells of it, two frames on: that may be before), and keeps the click that comes
 * before; a module that does not come leaves the page as it is printed. Where storage is closed to it, the system's
 * theme stays. It is sent as it is written, to every page and screen, so its comment is here.
 */
export function HtmlDocument(props: HtmlDocumentProps) {
  const {
    context,
    title,
    description,
    indexed,
    script,
    isPrinted,
    styles,
    modules = [],
    fonts,
    children,
  } = props
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <meta name="description" content={description} />
        {!indexed && <meta name="robots" content="noindex" />}
        <SharedAs {...props} />
        <link rel="icon" type="image/svg+xml" href={context.assets.icon} />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content={LIGHT.paper} />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content={DARK.paper} />
        {styles.map((style) => (
          <link key={style} rel="stylesheet" href={style} />
        ))}
        {fonts.map((font) => (
          <link key={font} rel="preload" as="font" type="font/woff2" crossOrigin="" href={font} />
        ))}
        {/* After the style sheet: it waits for the styles, which it asks about. */}
        <script src="/head.js" data-after={isPrinted ? script : undefined} />
        {modules.map((module) => (
          <link key={module} rel="modulepreload" href={module} />
        ))}
        {!isPrinted && <script type="module" src={script} />}
      </head>
      <body>{children}</body>
    </html>
  )
}
