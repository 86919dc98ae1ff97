import path from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { build, createServer, type Connect, type Rolldown, type ViteDevServer } from 'vite'
import { DOCS_ENTRY, DOCS_PATH } from '#web/docs-path.ts'
import type * as DocsRenderer from '#web/site/docs/render-docs.tsx'
import type * as Renderer from '#web/site/render.tsx'
import { type SiteAssets, type SiteContext, styleOf } from '#web/site/site-context.ts'
import { DEFAULT_LOCALE, type Locale, LOCALES, localizedPath, unlocalizedPath } from '#contract/locales.ts'
import { SITE_MAP } from '#web/dashboard-routes.ts'
import { archivePath, pathsOf, type Route, ROUTES } from '#web/routes.ts'
import { campaignIn } from '#server/domain/campaign/localized-campaign.ts'
import type { RenderDraft } from '#server/domain/settings/render-draft.ts'
import { previewOf, type SiteParts, type SiteSettings, unreadContext } from '../site-parts.ts'
import { serveDocs } from '../docs-pages.ts'
import { createAnswer } from '#server/platform/http/public-answers/answer.ts'
import { CROSS_ORIGIN, SANDBOX } from '#server/platform/http/security/security-headers.ts'
import { fromRoot } from '#server/platform/root.ts'
import { byPart } from '../built/built-assets.ts'
import { configFor } from '../../../vite.config.ts'

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
  checkScript: '/assets/check.js',
  checkStyle: '/assets/check.css',
}

const HTML = 'text/html; charset=utf-8'
const NOT_STORED = { 'cache-control': 'no-store' }

/** Files that Vite must not serve: those that it denies by default, and the data folder. */
const SECRET = ['.env', '.env.*', '*.{crt,pem}', '**/.git/**', '**/.data/**']

type Dev = SiteParts & { app: FastifyInstance; settings: SiteSettings; viteOf: ViteServers }

/** Development: runs Vite as middleware of this server and renders pages on every request. */
export async function serveFromVite(
  app: FastifyInstance,
  settings: SiteSettings,
  parts: SiteParts,
): Promise<RenderDraft> {
  const viteOf = serversByLocale(app)
  const vite = await viteOf(DEFAULT_LOCALE)
  const dev: Dev = { ...parts, app, settings, viteOf }
  serveSources(dev)
  for (const locale of LOCALES) servePages(dev, locale)
  serveSourceDocs(dev, vite)
  serveNotFound(dev)
  return async (page, campaign, locale) => {
    const { renderRoute } = await loadRenderer(await viteOf(locale))
    const { route, shown } = await previewOf(page, campaign, parts.readProofs)
    const context = { ...contextOf(settings, locale), ...shown }
    return renderRoute(route, { ...context, campaign: campaignIn(context.campaign, locale) })
  }
}

function contextOf(settings: SiteSettings, locale: Locale): SiteContext {
  // Vite adds its base only to attributes that it knows as URLs; the site's script is in data-after, from
  // which static/head.js imports it.
  const assets = { ...SOURCES, siteScript: localizedPath(locale, '/web/site/client.ts') }
  return { ...unreadContext(settings, assets, locale), campaign: campaignIn(settings.campaign, locale) }
}

function serveSources({ app, excluded, viteOf }: Dev) {
  app.addHook('onRequest', async (request, reply) => {
    if (excluded.test(request.url) || isPage(request.url)) return
    const { middlewares } = await viteOf(localeOf(request.url))
    await runMiddleware(middlewares, reply)
  })
  serveCheckFiles(app)
}

/** Builds the files of `/check`, which cannot load Vite's modules, at each request. */
function serveCheckFiles(app: FastifyInstance) {
  const files = { [SOURCES.checkScript]: 'text/javascript', [SOURCES.checkStyle]: 'text/css' }
  for (const [url, type] of Object.entries(files))
    app.get(url, async (_request, reply) => {
      const content = await buildFile(path.extname(url))
      return reply.headers(CROSS_ORIGIN).type(`${type}; charset=utf-8`).send(content)
    })
}

async function buildFile(ending: string): Promise<string | Uint8Array> {
  const configFile = fromRoot('vite.check.config.ts')
  const built = await build({ configFile, logLevel: 'warn', build: { write: false } })
  const { output } = (Array.isArray(built) ? built[0] : built) as Rolldown.RolldownOutput
  const file = output.find(({ fileName }) => fileName.endsWith(ending))
  if (!file) throw new Error(`The build of /check has no ${ending}`)
  return file.type === 'chunk' ? file.code : file.source
}

function servePages(dev: Dev, locale: Locale) {
  const { app, settings, archive, viteOf } = dev
  for (const route of SITE_MAP)
    for (const url of pathsOf(route, locale))
      app.get(url, async (_request, reply) => {
        const vite = await viteOf(locale)
        const { renderRoute } = await loadRenderer(vite)
        const html = renderRoute(route, {
          ...contextOf(settings, locale),
          ...(await readLive(dev, route, locale)),
        })
        if (route.kind === 'sandbox') return reply.headers(SANDBOX).type(HTML).send(html)
        return sendPage(vite, reply, localizedPath(locale, route.id), html)
      })
  type ArchiveRequest = { Params: { id: string }; Querystring: { page?: unknown } }
  app.get<ArchiveRequest>(localizedPath(locale, archivePath(':id')), async (request, reply) => {
    const vite = await viteOf(locale)
    const { renderArchived } = await loadRenderer(vite)
    const page = Number(request.query.page ?? 1)
    const archived = await archive.read(locale, request.params.id, page)
    const html = renderArchived(contextOf(settings, locale), archived)
    return sendPage(vite, reply, localizedPath(locale, ROUTES.archive.id), html)
  })
}

async function readLive({ readHeads, readLife, readProofs, archive }: Dev, route: Route, locale: Locale) {
  return {
    heads: route === ROUTES.journal ? await readHeads() : [],
    life: await readLife(),
    archive: await archive.list(locale),
    proofs: await readProofs(),
  }
}

function serveSourceDocs({ app, settings, publicAnswers }: Dev, vite: ViteDevServer) {
  serveDocs(app, {
    publicUrl: settings.publicUrl,
    publicAnswers,
    loadDocs: () => loadDocs(vite),
    pageSource: (docsPath, status = 200) => ({
      current: () => undefined,
      async read() {
        const { renderDocs } = await loadDocs(vite)
        const page = renderDocs(docsPath, contextOf(settings, DEFAULT_LOCALE), `/${DOCS_ENTRY}`)
        const html = await vite.transformIndexHtml(docsPath, page)
        return createAnswer(html, { type: HTML, headers: NOT_STORED, compression: 'fast', status })
      },
    }),
  })
}

function serveNotFound({ app, settings, excluded, viteOf }: Dev) {
  app.get('/*', async (request, reply) => {
    if (excluded.test(request.url)) return reply.callNotFound()
    const locale = localeOf(request.url)
    const vite = await viteOf(locale)
    const { renderNotFound } = await loadRenderer(vite)
    const html = renderNotFound(contextOf(settings, locale))
    return sendPage(vite, reply.code(404), localizedPath(locale, '/not-found'), html)
  })
}

type ViteServers = (locale: Locale) => Promise<ViteDevServer>

/** A Vite server per language, started when first asked for; its URLs have the language's prefix. */
function serversByLocale(app: FastifyInstance): ViteServers {
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

/** Lets Vite answer. Resolves only if Vite does not know the address, so that a route answers instead. */
function runMiddleware(middlewares: Connect.Server, { request, raw }: FastifyReply): Promise<void> {
  const { url } = request.raw
  return new Promise((resolve, reject) => {
    middlewares(request.raw, raw, (error: unknown) => {
      // Vite removes its base from the address.
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
