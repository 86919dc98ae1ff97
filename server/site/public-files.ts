import type { FastifyInstance } from 'fastify'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { LOCALES, localizedPath } from '#contract/locales.ts'
import { SITE_MAP } from '#web/dashboard-routes.ts'
import { type Route } from '#web/routes.ts'
import { createAnswer } from '../platform/http/public-answers/answer.ts'
import type { PublicAnswers } from '../platform/http/public-answers/public-answers.ts'
import { CROSS_ORIGIN } from '../platform/http/security/security-headers.ts'
import type { HasCampaign } from '../domain/campaign/live-campaign.ts'
import { campaignSource } from './live/campaign-source.ts'
import { DOCS_SITEMAP_PATH } from './docs-pages.ts'
import { identity } from './identity.ts'
import { tokenList } from './token-list.ts'
import { webManifest } from './look/web-manifest.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Serves the files that crawlers, wallets and browsers expect at fixed URLs. */
export async function servePublicFiles(
  app: FastifyInstance,
  live: HasCampaign,
  publicUrl: string,
  publicAnswers: PublicAnswers,
) {
  const headers = { ...CROSS_ORIGIN, 'cache-control': 'no-cache' }
  const serve = async (url: string, type: string, write: (campaign: CampaignFile) => string) => {
    const file = campaignSource(live, (campaign) =>
      createAnswer(write(campaign), { type, headers, compression: 'best' }),
    )
    await file.read()
    app.get(url, (request, reply) => publicAnswers.send(request, reply, file))
  }
  await serve('/robots.txt', 'text/plain; charset=utf-8', () => robots(publicUrl))
  await serve('/sitemap.xml', 'application/xml', () => sitemap(publicUrl, SITE_MAP))
  await serve('/site.webmanifest', 'application/manifest+json', webManifest)
  await serve('/tokenlist.json', JSON_TYPE, (campaign) => tokenList(campaign, publicUrl))
  await serve('/.well-known/dropwright.json', JSON_TYPE, (campaign) => identity(campaign, publicUrl))
}

/** Screens carry `noindex` themselves, which a crawler can read only if it may fetch them. */
function robots(publicUrl: string): string {
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${publicUrl}/sitemap.xml\nSitemap: ${publicUrl}${DOCS_SITEMAP_PATH}\n`
}

/** Lists the indexed pages in every language, each with its other languages. */
function sitemap(publicUrl: string, routes: readonly Route[]): string {
  const urls = routes
    .filter((route) => route.indexed)
    .flatMap(({ id }) => {
      const addresses = LOCALES.map((locale) => [locale, publicUrl + localizedPath(locale, id)] as const)
      const alternates = [...addresses, ['x-default', publicUrl + id] as const].map(
        ([language, url]) => `<xhtml:link rel="alternate" hreflang="${language}" href="${url}"/>`,
      )
      return addresses.map(([, url]) => `<url><loc>${url}</loc>${alternates.join('')}</url>`)
    })
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${urls.join('')}</urlset>
`
}
