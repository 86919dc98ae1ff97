import type { Route } from '#web/routes.ts'

/** What search engines may read. */
export function robots(publicUrl: string, routes: readonly Route[]): string {
  const closed = routes.filter((route) => !route.indexed).map((route) => `Disallow: ${route.path}$\n`)
  return `User-agent: *\nDisallow: /api/\n${closed.join('')}\nSitemap: ${publicUrl}/sitemap.xml\n`
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
