import path from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { createServer, type Connect, type ViteDevServer } from 'vite'
import { phaseOf } from '#contract/phase.ts'
import type * as Renderer from '#web/site/render.tsx'
import type { SiteAssets, SiteContext } from '#web/site/site-context.ts'
import { ROUTES } from '#web/routes.ts'
import type { ReadHeads } from '../domain/journal/heads.ts'
import type { ReadProofs } from '../domain/proofs/read-proofs.ts'
import { SANDBOX } from '../platform/http/security/security-headers.ts'
import { CHECK_SOURCES, serveCheckFiles } from './vite-check.ts'

/** URLs of source files, which Vite transforms on request. */
const SOURCES: SiteAssets = {
  icon: '/favicon.svg',
  siteStyles: ['/web/styles/site.css'],
  appStyles: ['/web/styles/app.css'],
  fonts: [],
  siteScript: '/web/site/client.ts',
  appScript: '/web/app/main.tsx',
  appImports: [],
  ...CHECK_SOURCES,
}

const HTML = 'text/html; charset=utf-8'

/** Vite's defaults, and the data folder. */
const SECRET = ['.env', '.env.*', '*.{crt,pem}', '**/.git/**', '**/.data/**']

/** Development: runs Vite as middleware of this server and renders pages on every request. */
export async function serveFromVite(
  app: FastifyInstance,
  settings: Omit<SiteContext, 'assets' | 'heads' | 'phase' | 'proofs'>,
  { excluded, readHeads, readProofs }: { excluded: RegExp; readHeads: ReadHeads; readProofs: ReadProofs },
) {
  const vite = await createServer({
    root: path.resolve(import.meta.dirname, '../..'),
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: app.server }, fs: { deny: SECRET } },
  })
  app.addHook('onClose', () => vite.close())
  app.addHook('onRequest', (request, reply, done) => {
    if (excluded.test(request.url) || isPage(request.url)) return done()
    runMiddleware(vite.middlewares, reply, done)
  })
  serveCheckFiles(app)
  const context = { ...settings, assets: SOURCES, heads: [], proofs: [] }
  const phase = () => phaseOf(settings.campaign.airdrop, Date.now())
  for (const route of Object.values(ROUTES))
    app.get(route.path, async (_request, reply) => {
      const { renderRoute } = await loadRenderer(vite)
      const heads = route === ROUTES.journal ? await readHeads() : []
      const live = { heads, phase: phase(), proofs: await readProofs() }
      const html = renderRoute(route, { ...context, ...live })
      if (route.kind === 'sandbox') return reply.headers(SANDBOX).type(HTML).send(html)
      return sendPage(vite, reply, route.path, html)
    })
  app.get('/*', async (request, reply) => {
    if (excluded.test(request.url)) return reply.callNotFound()
    const { renderNotFound } = await loadRenderer(vite)
    return sendPage(vite, reply.code(404), '/not-found', renderNotFound({ ...context, phase: phase() }))
  })
}

const PAGE_PATHS = new Set<string>(Object.values(ROUTES).map((route) => route.path))

function isPage(url: string): boolean {
  const { pathname } = new URL(url, 'http://localhost')
  return PAGE_PATHS.has(pathname.replace(/(.)\/$/, '$1'))
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

async function sendPage(vite: ViteDevServer, reply: FastifyReply, url: string, html: string) {
  const page = await vite.transformIndexHtml(url, html)
  return reply.header('cache-control', 'no-store').type(HTML).send(page)
}
