import { readProfileLink } from '#contract/x-post.ts'
import type { Shared, SiteContext } from './site-context.ts'

type LinkPreviewTagsProps = {
  context: SiteContext
  title: string
  description: string
  path?: string
  shared?: Shared | undefined
}

/** Metadata for link previews (Open Graph, which X reads too) and the canonical URL. */
export function LinkPreviewTags({ context, title, description, path, shared }: LinkPreviewTagsProps) {
  const { publicUrl, campaign, cards } = context
  const card = shared?.card ?? (path === undefined ? undefined : cards[path])
  const xHandle = readProfileLink(campaign.token.socials.twitter)
  return (
    <>
      {path !== undefined && <link rel="canonical" href={publicUrl + path} />}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={campaign.token.name} />
      <meta property="og:locale" content="en" />
      <meta property="og:title" content={shared?.title ?? title} />
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
