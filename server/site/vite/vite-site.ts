import path from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { build, createServer, type Connect, type Rolldown, type ViteDevServer } from 'vite'
import { DOCS_ENTRY, DOCS_PATH } from '#web/docs-path.ts'
import type * as DocsRenderer from '#web/site/docs/render-docs.tsx'
import type * as Renderer from '#web/site/render.tsx'
import { type SiteAssets, styleOf } from '#web/site/site-context.ts'
import { DEFAULT_LOCALE, type Locale, LOCALES, localizedPath, unlocalizedPath } from '#contract/locales.ts'
import { SITE_MAP } from '#web/dashboard-routes.ts'
import type { RenderDraft } from '#server/domain/settings/render-draft.ts'
import { serveDocs } from '../docs-pages.ts'
import { PAGE_OPTIONS, type PageParts, servePages } from '../serve-pages.ts'
import { type SiteSettings, unreadContext } from '../site-parts.ts'
import { createAnswer } from '#server/platform/http/public-answers/answer.ts'
import type { PublicAnswers } from '#server/platform/http/public-answers/public-answers.ts'
import { CROSS_ORIGIN } from '#server/platform/http/security/security-headers.ts'
import { fromRoot } from '#server/platform/root.ts'
import { byPart } from '../built/built-assets.ts'
import { configFor } from '../../../vite.config.ts'

const SITE_SCRIPT = '/web/site/client.ts'

/** Vite transforms these files on request. */
const SOURCES: SiteAssets = {
  icon: '/favicon.svg',
  siteStyles: ['/web/styles/site.css'],
  partStyles: byPart((part) => `/${styleOf(part)}`),
  appStyles: ['/web/styles/app.css'],
  fonts: [],
  siteScript: SITE_SCRIPT,
  appScript: '/web/app/main.tsx',
  appImports: [],
  checkScript: '/assets/check.js',
  checkStyle: '/assets/check.css',
}

/** Files that Vite must not serve: its own defaults and the data folder. */
const SECRET = ['.env', '.env.*', '*.{crt,pem}', '**/.git/**', '**/.data/**']

/** Serves the site in development: runs Vite as middleware and renders a page at each request. */
export async function serveFromVite(
  app: FastifyInstance,
  settings: SiteSettings,
  parts: PageParts,
): Promise<RenderDraft> {
  const viteOf = serversByLocale(app)
  const vite = await viteOf(DEFAULT_LOCALE)
  serveSources(app, parts.excluded, viteOf)
  serveSourceDocs(app, settings, parts.publicAnswers, vite)
  return servePages(app, settings, parts, async (locale) => ({
    // static/head.js imports the site's script from `data-after`, an attribute to which Vite adds no base.
    assets: { ...SOURCES, siteScript: localizedPath(locale, SITE_SCRIPT) },
    loadRenderer: async () =>
      (await (await viteOf(locale)).ssrLoadModule('/web/site/render.tsx')) as typeof Renderer,
    complete: async (html) => (await viteOf(locale)).transformIndexHtml(localizedPath(locale, '/'), html),
  }))
}

function serveSources(app: FastifyInstance, excluded: RegExp, viteOf: ViteServers) {
  app.addHook('onRequest', async (request, reply) => {
    if (excluded.test(request.url) || isPage(request.url)) return
    const { middlewares } = await viteOf(localeOf(request.url))
    await runMiddleware(middlewares, reply)
  })
  serveCheckFiles(app)
}

/** Builds the files of `/check` at each request, because that page cannot load Vite's modules. */
function serveCheckFiles(app: FastifyInstance) {
  const files = { [SOURCES.checkScript]: 'text/javascript', [SOURCES.checkStyle]: 'text/css' }
  for (const [url, type] of Object.entries(files))
    app.get(url, async (_request, reply) => {
      const content = await buildFile(path.extname(url))
      return reply.headers(CROSS_ORIGIN).type(`${type}; charset=utf-8`).send(content)
    })
}

async function buildFile(ending: string): Promise<string | Uint8Array> {
  const configFile = fromRoot('vite.classic.config.ts')
  const built = await build({ configFile, logLevel: 'warn', build: { write: false } })
  const { output } = (Array.isArray(built) ? built[0] : built) as Rolldown.RolldownOutput
  const file = output.find(({ fileName }) => fileName.endsWith(ending))
  if (!file) throw new Error(`The build of /check has no ${ending}`)
  return file.type === 'chunk' ? file.code : file.source
}

function serveSourceDocs(
  app: FastifyInstance,
  settings: SiteSettings,
  publicAnswers: PublicAnswers,
  vite: ViteDevServer,
) {
  serveDocs(app, {
    publicUrl: settings.publicUrl,
    publicAnswers,
    loadDocs: () => loadDocs(vite),
    pageSource: (docsPath, status = 200) => ({
      current: () => undefined,
      async read() {
        const { renderDocs } = await loadDocs(vite)
        const page = renderDocs(docsPath, unreadContext(settings, SOURCES, DEFAULT_LOCALE), `/${DOCS_ENTRY}`)
        const html = await vite.transformIndexHtml(docsPath, page)
        return createAnswer(html, { ...PAGE_OPTIONS, headers: {}, compression: 'fast', status })
      },
    }),
  })
}

type ViteServers = (locale: Locale) => Promise<ViteDevServer>

/** A Vite server for each language, started on demand. Its URLs have the prefix of the language. */
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
  return SITE_MAP.some(({ id: at, isParent }) => at === page || (isParent && page.startsWith(`${at}/`)))
}

/** Lets Vite answer. Resolves only if Vite does not know the URL, so that a route can answer. */
function runMiddleware(middlewares: Connect.Server, { request, raw }: FastifyReply): Promise<void> {
  const { url } = request.raw
  return new Promise((resolve, reject) => {
    middlewares(request.raw, raw, (error: unknown) => {
      // Restores the URL, from which Vite has removed its base.
      if (url !== undefined) request.raw.url = url
      if (error instanceof Error) reject(error)
      else resolve()
    })
  })
}

async function loadDocs(vite: ViteDevServer): Promise<typeof DocsRenderer> {
  return (await vite.ssrLoadModule('/web/site/docs/render-docs.tsx')) as typeof DocsRenderer
}
