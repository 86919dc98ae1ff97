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
    <script
      type="application/ld+json"
      dangerouslySetInnerHTML={{
        __html: scriptSafeJson({ '@context': 'https://schema.org', '@graph': graph }),
      }}
    />
  )
}

/** JSON that cannot close the script element around it. */
export function scriptSafeJson(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
