import type { ReactNode } from 'react'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { directionOf, LOCALE_PATH, LOCALES, localizedPath, OPEN_GRAPH_LOCALES } from '#contract/locales.ts'
import { LOCALE } from '#messages/locale.js'
import type { Route } from '#web/routes.ts'
import { DEFAULT_PALETTES, paletteOf, THEMES } from '#contract/look.ts'
import { parsePictureReference } from '#contract/dashboard/pictures.ts'
import { readProfileLink } from '#contract/claims/x-post.ts'
import type { LinkPreview, SiteContext } from './site-context.ts'

const MANIFEST_PATH = '/site.webmanifest'

type HtmlDocumentProps = {
  context: SiteContext
  title: string
  description: string
  /** The page's path in the default language; absent for a page without a URL of its own. */
  id?: Route['id']
  isIndexed: boolean
  /** False for a page in English only. */
  isTranslated?: boolean
  /** Replaces title and picture in link previews of the page. */
  preview?: LinkPreview | undefined
  script: string
  /** Moves a screen to the visitor's chosen language; `always`: to the browser's if none was chosen. */
  follow?: 'chosen' | 'always' | undefined
  /** Whether the body is complete without the script, which then loads after the first paint. */
  isPrerendered: boolean
  styles: readonly string[]
  /** What a script that runs at once imports, to be preloaded with it. */
  modules?: readonly string[]
  fonts: readonly string[]
  children: ReactNode
}

/**
 * A whole page without inline scripts or styles: one blocking script (static/head.js), style sheets and one
 * module.
 *
 * Development serves static/head.js as it is, with every page, so its comments are here:
 * - Applies the stored theme before the first paint, to avoid a flash, and stores a referral code that looks
 *   right (web/features/referral/referral.ts). A prerendered page applies the theme again when it is
 *   activated, and stores the code only then. A page from the back/forward cache applies the theme again, in
 *   case it changed. Without storage, the system's theme applies.
 * - Moves a screen to the visitor's language (`follow`). Until then this document is hidden, and the
 *   application does not start. A chosen language comes first. The language that the browser prefers counts
 *   only on screens that are not indexed, because crawlers and shared links must reach every language. It
 *   does not count for a visitor who comes from a page in this document's language.
 * - On the other screens and on pages, offers the language that the browser prefers, unless one was chosen.
 * - Stores the language that is chosen in the switch or the offer (cookie and storage) and tells the account.
 *   Adds query and fragment, which only the browser knows, to the link. Remembers that an offer was declined.
 * - Reads a computed style, which makes Chromium evaluate style sheets that have just arrived. Otherwise, it
 *   may decide on the cross-fade between pages too early and reject it with an uncatchable error.
 * - On a marketing page, imports the module after the first contentful paint, so that it does not compete
 *   with style sheet and fonts; after two frames if the page is prerendered or has no paint timing. The
 *   module itself is preloaded: 1 kB that would cost a round trip later. Records early clicks. If the import
 *   fails, the page stays as it is.
 * - Links the web manifest at that time too. If it were in the HTML, browsers would request it and its icon
 *   before the fonts.
 */
export function HtmlDocument(props: HtmlDocumentProps) {
  const { context, title, description, isIndexed, script, follow } = props
  const { isPrerendered, styles, modules = [], fonts, children } = props
  return (
    <html lang={LOCALE} dir={directionOf(LOCALE)}>
      <head>
        <HeadStart title={title} description={description} />
        {!isIndexed && <meta name="robots" content="noindex" />}
        <LinkPreviewTags {...props} />
        <Icon context={context} />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        {!isPrerendered && <link rel="manifest" href={MANIFEST_PATH} />}
        <ThemeColors context={context} />
        {[...styles, ...(context.lookStyle ? [context.lookStyle] : [])].map((style) => (
          <link key={style} rel="stylesheet" href={style} />
        ))}
        {fonts.map((font) => (
          <link key={font} rel="preload" as="font" type="font/woff2" crossOrigin="" href={font} />
        ))}
        {/* After the style sheet: the script reads a computed style. */}
        <script
          src="/head.js"
          data-after={isPrerendered ? script : undefined}
          data-manifest={isPrerendered ? MANIFEST_PATH : undefined}
          data-locales={LOCALES.join(' ')}
          data-follow={follow}
          data-account={API_BASE + LOCALE_PATH}
        />
        {(isPrerendered ? [script] : modules).map((module) => (
          <link key={module} rel="modulepreload" href={module} />
        ))}
        {!isPrerendered && <script type="module" src={script} />}
      </head>
      <body>{children}</body>
    </html>
  )
}

export function HeadStart({ title, description }: { title: string; description: string }) {
  return (
    <>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <meta name="description" content={description} />
    </>
  )
}

function Icon({ context: { campaign, assets } }: { context: SiteContext }) {
  const logo = parsePictureReference(campaign.look?.logo)
  // The address changes with the logo, because browsers keep icons for a long time.
  if (logo) return <link rel="icon" type="image/png" href={`/icon-192.png?v=${logo.name.slice(0, 8)}`} />
  const { accent } = paletteOf(campaign.look, 'dark')
  // Puts the campaign's accent into the SVG of the data URL.
  const icon = assets.icon.replace(
    encodeURIComponent(DEFAULT_PALETTES.dark.accent),
    encodeURIComponent(accent),
  )
  return <link rel="icon" type="image/svg+xml" href={icon} />
}

export function ThemeColors({ context: { campaign } }: { context: SiteContext }) {
  return THEMES.map((theme) => (
    <meta
      key={theme}
      name="theme-color"
      media={`(prefers-color-scheme: ${theme})`}
      content={paletteOf(campaign.look, theme).paper}
    />
  ))
}

type LinkPreviewTagsProps = Pick<
  HtmlDocumentProps,
  'context' | 'title' | 'description' | 'id' | 'isIndexed' | 'isTranslated' | 'preview'
>

/** Metadata for link previews (Open Graph, which X reads too) and the canonical URL. */
export function LinkPreviewTags(props: LinkPreviewTagsProps) {
  const { context, title, description, id, isIndexed, isTranslated = true, preview } = props
  const { publicUrl, campaign, cards } = context
  const card = preview?.card ?? (id === undefined ? undefined : cards[id])
  const path = id && localizedPath(LOCALE, id)
  const xHandle = readProfileLink(campaign.token.socials.twitter)
  return (
    <>
      {path !== undefined && <link rel="canonical" href={publicUrl + path} />}
      {/* Search engines expect all languages, including this one. */}
      {id !== undefined && isIndexed && isTranslated && (
        <>
          {LOCALES.map((locale) => (
            <link
              key={locale}
              rel="alternate"
              hrefLang={locale}
              href={publicUrl + localizedPath(locale, id)}
            />
          ))}
          <link rel="alternate" hrefLang="x-default" href={publicUrl + id} />
        </>
      )}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={campaign.token.name} />
      <meta property="og:locale" content={OPEN_GRAPH_LOCALES[LOCALE]} />
      <meta property="og:title" content={preview?.title ?? title} />
      <meta property="og:description" content={description} />
      {path !== undefined && <meta property="og:url" content={publicUrl + path} />}
      {card && (
        <>
          <meta property="og:image" content={publicUrl + card.url} />
          <meta property="og:image:type" content="image/png" />
          <meta property="og:image:width" content="1200" />
          <meta property="og:image:height" content="630" />
          <meta property="og:image:alt" content={card.alt} />
        </>
      )}
      <meta name="twitter:card" content={card ? 'summary_large_image' : 'summary'} />
      {xHandle && <meta name="twitter:site" content={`@${xHandle}`} />}
    </>
  )
}
