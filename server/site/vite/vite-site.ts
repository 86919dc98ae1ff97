import type { FastifyInstance, FastifyReply } from 'fastify'
import { createServer, type Connect, type ViteDevServer } from 'vite'
import { DOCS_ENTRY, DOCS_PATH } from '#web/docs-path.ts'
import type * as DocsRenderer from '#web/site/docs/render-docs.tsx'
import type * as Renderer from '#web/site/render.tsx'
import { type SiteAssets, type SiteContext, styleOf } from '#web/site/site-context.ts'
import { DEFAULT_LOCALE, type Locale, LOCALES, localizedPath, unlocalizedPath } from '#contract/locales.ts'
import { SITE_MAP } from '#web/dashboard-routes.ts'
import { archivePath, pathsOf, type Route, ROUTES } from '#web/routes.ts'
import { campaignIn } from '#server/domain/campaign/localized-campaign.ts'
import type { ReadHeads } from '#server/domain/journal/heads.ts'
import type { RenderDraft } from '#server/domain/settings/render-draft.ts'
import type { ReadProofs } from '#server/domain/proofs/read-proofs.ts'
import type { ArchiveReader } from '../archive-pages.ts'
import type { SiteSettings } from '../built-site.ts'
import { serveDocs } from '../docs-pages.ts'
import { lifeByDates, type ReadLife } from '../live/life.ts'
import { createAnswer } from '#server/platform/http/public-answers/answer.ts'
import type { PublicAnswers } from '#server/platform/http/public-answers/public-answers.ts'
import { SANDBOX } from '#server/platform/http/security/security-headers.ts'
import { byPart } from '../built-assets.ts'
import { configFor } from '../../../vite.config.ts'
import { CHECK_SOURCES, serveCheckFiles } from './vite-check.ts'

/** URLs of source files, which Vite transforms on request. */
const SOURCES: SiteAssets = {
  icon: '/favicon.svg',
  siteStyles: ['/web/styles/site.css'],
  partStyles: byPart((part) => `/${styleOf(part)}`),
  appStyles: ['/web/styles/app.css'],
  fonts: [],
  siteScript: '/web/site/client.ts',
  appScript: '/web/app/main.tsx',
  appImports: [],
  ...CHECK_SOURCES,
}

const HTML = 'text/html; charset=utf-8'
const NOT_STORED = { 'cache-control': 'no-store' }

/** Vite's defaults, and the data folder. */
const SECRET = ['.env', '.env.*', '*.{crt,pem}', '**/.git/**', '**/.data/**']

type Parts = {
  excluded: RegExp
  readHeads: ReadHeads
  readProofs: ReadProofs
  readLife: ReadLife
  archive: ArchiveReader
  publicAnswers: PublicAnswers
}

/** Development: runs Vite as middleware of this server and renders pages on every request. */
export async function serveFromVite(
  app: FastifyInstance,
  settings: SiteSettings,
  { excluded, readHeads, readProofs, readLife, archive, publicAnswers }: Parts,
): Promise<RenderDraft> {
  const viteOf = serversByLocale(app)
  const vite = await viteOf(DEFAULT_LOCALE)
  app.addHook('onRequest', async (request, reply) => {
    if (excluded.test(request.url) || isPage(request.url)) return
    const { middlewares } = await viteOf(localeOf(request.url))
    await runMiddleware(middlewares, reply)
  })
  serveCheckFiles(app)
  // Settings change while the server runs.
  const context = (locale = DEFAULT_LOCALE): SiteContext => ({
    ...settings,
    campaign: campaignIn(settings.campaign, locale),
    // Vite adds its base to what it knows as an address; static/head.js imports this one.
    assets: { ...SOURCES, siteScript: localizedPath(locale, '/web/site/client.ts') },
    heads: [],
    life: lifeByDates(settings.campaign),
    archive: [],
    proofs: [],
  })
  const serve = (route: Route, url: string, locale: Locale) =>
    app.get(url, async (_request, reply) => {
      const own = await viteOf(locale)
      const { renderRoute } = await loadRenderer(own)
      const heads = route === ROUTES.journal ? await readHeads() : []
      const live = {
        heads,
        life: await readLife(),
        archive: await archive.list(locale),
        proofs: await readProofs(),
      }
      const html = renderRoute(route, { ...context(locale), ...live })
      if (route.kind === 'sandbox') return reply.headers(SANDBOX).type(HTML).send(html)
      return sendPage(own, reply, localizedPath(locale, route.id), html)
    })
  for (const route of SITE_MAP)
    for (const locale of LOCALES) for (const url of pathsOf(route, locale)) serve(route, url, locale)
  for (const locale of LOCALES)
    app.get<{ Params: { id: string } }>(localizedPath(locale, archivePath(':id')), async (request, reply) => {
      const own = await viteOf(locale)
      const { renderArchived } = await loadRenderer(own)
      const archived = await archive.one(locale, request.params.id, 1)
      const url = localizedPath(locale, ROUTES.archive.id)
      return sendPage(own, reply, url, renderArchived(context(locale), archived))
    })
  serveDocs(app, {
    publicUrl: settings.publicUrl,
    publicAnswers,
    docs: await loadDocs(vite),
    pageSource: (at, status = 200) => ({
      current: () => undefined,
      async read() {
        const { renderDocs } = await loadDocs(vite)
        const html = await vite.transformIndexHtml(at, renderDocs(at, context(), `/${DOCS_ENTRY}`))
        return createAnswer(html, { type: HTML, headers: NOT_STORED, compression: 'fast', status })
      },
    }),
  })
  app.get('/*', async (request, reply) => {
    if (excluded.test(request.url)) return reply.callNotFound()
    const locale = localeOf(request.url)
    const own = await viteOf(locale)
    const { renderNotFound } = await loadRenderer(own)
    const html = renderNotFound(context(locale))
    return sendPage(own, reply.code(404), localizedPath(locale, '/not-found'), html)
  })
  return async (page, campaign) => {
    const { renderRoute } = await loadRenderer(vite)
    const route = Object.values<Route>(ROUTES).find(({ path: at }) => at === page) ?? ROUTES.home
    const drafted = { campaign, life: lifeByDates(campaign), proofs: await readProofs() }
    return renderRoute(route, { ...context(), ...drafted })
  }
}

/** A Vite server for each language, started when it is first asked for; their addresses begin as those of its pages. */
function serversByLocale(app: FastifyInstance): (locale: Locale) => Promise<ViteDevServer> {
  const servers = new Map<Locale, Promise<ViteDevServer>>()
  app.addHook('onClose', async () => {
    for (const server of await Promise.all(servers.values())) await server.close()
  })
  return (locale) => {
    const server =
      servers.get(locale) ??
      createServer({
        ...configFor(locale),
        configFile: false,
        base: locale === DEFAULT_LOCALE ? '/' : `${localizedPath(locale, '/')}/`,
        appType: 'custom',
        server: { middlewareMode: true, hmr: { server: app.server }, fs: { deny: SECRET } },
      })
    servers.set(locale, server)
    return server
  }
}

/** The language of a page, or of a file that Vite serves for it. */
function localeOf(url: string): Locale {
  const { pathname } = new URL(url, 'http://localhost')
  return (
    LOCALES.find(
      (locale) => locale !== DEFAULT_LOCALE && `${pathname}/`.startsWith(`${localizedPath(locale, '/')}/`),
    ) ?? DEFAULT_LOCALE
  )
}

function isPage(url: string): boolean {
  const { pathname } = new URL(url, 'http://localhost')
  const page = unlocalizedPath(localeOf(url), pathname).replace(/(.)\/$/, '$1')
  if (page === DOCS_PATH || page.startsWith(`${DOCS_PATH}/`)) return true
  return SITE_MAP.some(({ id, isParent }) => id === page || (isParent && page.startsWith(`${id}/`)))
}

/** Vite answers what it knows, and then this never ends; it passes the rest on to the routes. */
function runMiddleware(middlewares: Connect.Server, { request, raw }: FastifyReply): Promise<void> {
  const { url } = request.raw
  return new Promise((resolve, reject) => {
    middlewares(request.raw, raw, (error: unknown) => {
      // Vite takes its base away from the address.
      if (url !== undefined) request.raw.url = url
      if (error instanceof Error) reject(error)
      else resolve()
    })
  })
}

async function loadRenderer(vite: ViteDevServer): Promise<typeof Renderer> {
  return (await vite.ssrLoadModule('/web/site/render.tsx')) as typeof Renderer
}

async function loadDocs(vite: ViteDevServer): Promise<typeof DocsRenderer> {
  return (await vite.ssrLoadModule('/web/site/docs/render-docs.tsx')) as typeof DocsRenderer
}

async function sendPage(vite: ViteDevServer, reply: FastifyReply, url: string, html: string) {
  const page = await vite.transformIndexHtml(url, html)
  return reply.headers(NOT_STORED).type(HTML).send(page)
}
