import { LOCALE } from '#messages/locale.js'
import type { SiteContext } from './site-context.ts'

/** Structured data (JSON-LD) for search engines. */
export function LinkedData({ campaign, publicUrl }: Pick<SiteContext, 'campaign' | 'publicUrl'>) {
  const { name, description, symbol, socials } = campaign.token
  const home = `${publicUrl}/`
  const graph = [
    {
      '@type': 'WebSite',
      '@id': `${home}#site`,
      url: home,
      name,
      alternateName: symbol,
      description,
      inLanguage: LOCALE,
      publisher: { '@id': `${home}#project` },
    },
    {
      '@type': 'Organization',
      '@id': `${home}#project`,
      url: home,
      name,
      description,
      logo: `${publicUrl}/icon-512.png`,
      email: campaign.smallPrint.contact,
      sameAs: Object.values(socials),
    },
  ]
  return (
    <JsonScript type="application/ld+json" value={{ '@context': 'https://schema.org', '@graph': graph }} />
  )
}

type JsonScriptProps = { type?: 'application/json' | 'application/ld+json'; id?: string; value: object }

/** A value as JSON for scripts. No text in it can close the element. */
export function JsonScript({ type = 'application/json', id, value }: JsonScriptProps) {
  const json = JSON.stringify(value).replaceAll('<', '\\u003c')
  return <script type={type} id={id} dangerouslySetInnerHTML={{ __html: json }} />
}
