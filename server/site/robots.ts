import type { Route } from '#web/routes.ts'

/** Screens carry `noindex` themselves, which a crawler can read only if it may fetch them. */
export function robots(publicUrl: string): string {
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${publicUrl}/sitemap.xml\n`
}

/** Lists the indexed pages. */
export function sitemap(publicUrl: string, routes: readonly Route[]): string {
  const urls = routes
    .filter((route) => route.indexed)
    .map(({ path }) => `<url><loc>${publicUrl}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>
`
}
