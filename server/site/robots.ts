import type { Route } from '#web/routes.ts'

/** Screens that are not worth finding say so themselves; a crawler must be let in to read that. */
export function robots(publicUrl: string): string {
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${publicUrl}/sitemap.xml\n`
}

/** The pages that are worth finding. */
export function sitemap(publicUrl: string, routes: readonly Route[]): string {
  const urls = routes
    .filter((route) => route.indexed)
    .map(({ path }) => `<url><loc>${publicUrl}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>
`
}
