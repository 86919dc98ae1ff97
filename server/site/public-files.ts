import type { FastifyInstance } from 'fastify'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { ROUTES, type Route } from '#web/routes.ts'
import { createAnswer } from '../platform/http/public-answers/answer.ts'
import { fixedSource, type PublicAnswers } from '../platform/http/public-answers/public-answers.ts'
import { CROSS_ORIGIN } from '../platform/http/security/security-headers.ts'
import { identity } from './identity.ts'
import { tokenList } from './token-list.ts'
import { webManifest } from './web-manifest.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Serves the files that crawlers, wallets and browsers expect at fixed URLs. */
export async function servePublicFiles(
  app: FastifyInstance,
  campaign: CampaignFile,
  publicUrl: string,
  publicAnswers: PublicAnswers,
) {
  const files: Record<string, [type: string, text: string]> = {
    '/robots.txt': ['text/plain; charset=utf-8', robots(publicUrl)],
    '/sitemap.xml': ['application/xml', sitemap(publicUrl, Object.values(ROUTES))],
    '/site.webmanifest': ['application/manifest+json', webManifest(campaign)],
    '/tokenlist.json': [JSON_TYPE, tokenList(campaign, publicUrl)],
    '/.well-known/dropwright.json': [JSON_TYPE, identity(campaign, publicUrl)],
  }
  for (const [url, [type, text]] of Object.entries(files)) {
    const headers = { ...CROSS_ORIGIN, 'cache-control': 'no-cache' }
    const file = fixedSource(await createAnswer(text, { type, headers, compression: 'best' }))
    app.get(url, (request, reply) => publicAnswers.send(request, reply, file))
  }
}

/** Screens carry `noindex` themselves, which a crawler can read only if it may fetch them. */
function robots(publicUrl: string): string {
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${publicUrl}/sitemap.xml\n`
}

/** Lists the indexed pages. */
function sitemap(publicUrl: string, routes: readonly Route[]): string {
  const urls = routes
    .filter((route) => route.indexed)
    .map(({ path }) => `<url><loc>${publicUrl}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>
`
}
