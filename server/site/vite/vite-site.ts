import path from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { createServer, type Connect, type ViteDevServer } from 'vite'
import { DOCS_ENTRY, DOCS_PATH } from '#web/docs-path.ts'
import type * as DocsRenderer from '#web/site/docs/render-docs.tsx'
import type * as Renderer from '#web/site/render.tsx'
import { type SiteAssets, type SiteContext, styleOf } from '#web/site/site-context.ts'
import { DEFAULT_LOCALE } from '#contract/locales.ts'
import { SITE_MAP } from '#web/dashboard-routes.ts'
import { archivePath, pathsOf, type Route, ROUTES } from '#web/routes.ts'
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
  const vite = await createServer({
    root: path.resolve(import.meta.dirname, '../../..'),
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: app.server }, fs: { deny: SECRET } },
  })
  app.addHook('onClose', () => vite.close())
  app.addHook('onRequest', (request, reply, done) => {
    if (excluded.test(request.url) || isPage(request.url)) return done()
    runMiddleware(vite.middlewares, reply, done)
  })
  serveCheckFiles(app)
  // Settings change while the server runs.
  const context = (): SiteContext => ({
    ...settings,
    assets: SOURCES,
    heads: [],
    life: lifeByDates(settings.campaign),
    archive: [],
    proofs: [],
  })
  const serve = (route: Route, url: string) =>
    app.get(url, async (_request, reply) => {
      const { renderRoute } = await loadRenderer(vite)
      const heads = route === ROUTES.journal ? await readHeads() : []
      const live = {
        heads,
        life: await readLife(),
        archive: await archive.list(),
        proofs: await readProofs(),
      }
      const html = renderRoute(route, { ...context(), ...live })
      if (route.kind === 'sandbox') return reply.headers(SANDBOX).type(HTML).send(html)
      return sendPage(vite, reply, route.path, html)
    })
  for (const route of SITE_MAP) for (const url of pathsOf(route, DEFAULT_LOCALE)) serve(route, url)
  app.get<{ Params: { id: string } }>(archivePath(':id'), async (request, reply) => {
    const { renderArchived } = await loadRenderer(vite)
    const archived = await archive.one(request.params.id, 1)
    return sendPage(vite, reply, ROUTES.archive.path, renderArchived(context(), archived))
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
    const { renderNotFound } = await loadRenderer(vite)
    return sendPage(vite, reply.code(404), '/not-found', renderNotFound(context()))
  })
  return async (page, campaign) => {
    const { renderRoute } = await loadRenderer(vite)
    const route = Object.values<Route>(ROUTES).find(({ path: at }) => at === page) ?? ROUTES.home
    const drafted = { campaign, life: lifeByDates(campaign), proofs: await readProofs() }
    return renderRoute(route, { ...context(), ...drafted })
  }
}

function isPage(url: string): boolean {
  const { pathname } = new URL(url, 'http://localhost')
  const page = pathname.replace(/(.)\/$/, '$1')
  if (page === DOCS_PATH || page.startsWith(`${DOCS_PATH}/`)) return true
  return SITE_MAP.some(
    (route) => route.path === page || (route.isParent && page.startsWith(`${route.path}/`)),
  )
}

/** Vite answers what it knows and passes the rest on to the routes. */
function runMiddleware(
  middlewares: Connect.Server,
  { request, raw }: FastifyReply,
  next: (error?: Error) => void,
) {
  middlewares(request.raw, raw, (error: unknown) => next(error instanceof Error ? error : undefined))
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
