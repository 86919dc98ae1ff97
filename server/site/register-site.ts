import type { FastifyInstance } from 'fastify'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { ROUTES } from '#web/routes.ts'
import { prepare, sendPrepared } from './prepared.ts'
import type { Prepared } from './prepared.ts'
import { robots, sitemap } from './robots.ts'

export type SiteOptions = {
  campaign: CampaignFile
  /** The origin visitors see. */
  publicUrl: string
  /** Pages are rendered for every request by Vite, with hot reload, instead of from the build. */
  dev: boolean
}

/** Paths that belong to others: unknown ones below them are not answered with a page. */
const NOT_OURS = /^\/(api|dev|assets)([/?]|$)/

/**
 * Serves marketing pages, the application's shell, the built assets and an HTML page for unknown addresses.
 * Without `dev` it needs `dist/`, made by `tools/build.ts`; everything is rendered and compressed once, here.
 */
export async function registerSite(app: FastifyInstance, { campaign, publicUrl, dev }: SiteOptions) {
  const settings = { campaign, publicUrl: publicUrl.replace(/\/+$/, '') }
  await servePlainFiles(app, settings.publicUrl)
  if (dev) {
    const { serveFromVite } = await import('./vite-site.ts')
    await serveFromVite(app, settings, NOT_OURS)
  } else {
    const { serveFromBuild } = await import('./built-site.ts')
    await serveFromBuild(app, settings, NOT_OURS)
  }
}

async function servePlainFiles(app: FastifyInstance, publicUrl: string) {
  const files: Record<string, Prepared> = {
    '/robots.txt': await prepare('text/plain; charset=utf-8', robots(publicUrl)),
    '/sitemap.xml': await prepare('application/xml', sitemap(publicUrl, Object.values(ROUTES))),
  }
  for (const [url, file] of Object.entries(files))
    app.get(url, (request, reply) => sendPrepared(request, reply, file))
}
