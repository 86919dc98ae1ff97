import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { type Phase, phaseOf } from '#contract/phase.ts'
import type { PublishedHead } from '#contract/journal.ts'
import type * as Renderer from '#web/site/render.tsx'
import type { SiteContext } from '#web/site/site-context.ts'
import { ROUTES } from '#web/routes.ts'
import type { ReadHeads } from '../domain/journal/heads.ts'
import type { ReadInvitation } from './invitations.ts'
import { builtAssets } from './built-assets.ts'
import { precompress, type PrecompressedFile, sendPrecompressed } from './precompressed.ts'

const DIST = path.resolve(import.meta.dirname, '../../dist')
const HTML = 'text/html; charset=utf-8'
const SPECULATION_RULES_PATH = '/speculation-rules.json'
/** The only media type that browsers accept. */
const SPECULATION_RULES_TYPE = 'application/speculationrules+json'
const SPECULATION = { 'speculation-rules': `"${SPECULATION_RULES_PATH}"` }

/**
 * Serves pages from memory, rendered once except for the journal and the home page, which change with time;
 * precompressed assets come from `dist/client`.
 */
export async function serveFromBuild(
  app: FastifyInstance,
  settings: Omit<SiteContext, 'assets' | 'heads' | 'phase'>,
  {
    excluded,
    readInvitation,
    readHeads,
  }: { excluded: RegExp; readInvitation: ReadInvitation; readHeads: ReadHeads },
) {
  const phase = () => phaseOf(settings.campaign.airdrop, Date.now())
  const assets = await builtAssets(path.join(DIST, 'client'))
  const context: SiteContext = { ...settings, assets, heads: [], phase: phase() }
  const { renderRoute, renderNotFound } = await loadRenderer()
  const { home, journal, ...fixed } = ROUTES
  for (const route of Object.values(fixed)) {
    const page = await precompress(HTML, renderRoute(route, context))
    app.get<{ Querystring: { ref?: unknown } }>(route.path, async (request, reply) => {
      // Without the database the page opens too, without naming the inviter.
      const invitation =
        route === ROUTES.register && (await readInvitation(request.query.ref).catch(() => undefined))
      reply.headers(SPECULATION)
      if (!invitation) return sendPrecompressed(request, reply, page)
      const html = renderRoute(route, context, invitation.shared)
      return sendPrecompressed(request, reply, await precompress(HTML, html, { isFast: true }))
    })
  }
  const readHome = byPhase((now) => precompress(HTML, renderRoute(home, { ...context, phase: now })))
  await readHome(phase())
  app.get(home.path, async (request, reply) =>
    sendPrecompressed(request, reply.headers(SPECULATION), await readHome(phase())),
  )
  const readJournal = journalPage((heads) => renderRoute(journal, { ...context, heads }), readHeads)
  app.get(journal.path, async (request, reply) =>
    sendPrecompressed(request, reply.headers(SPECULATION), await readJournal()),
  )
  const notFound = await precompress(HTML, renderNotFound(context))
  app.get('/*', (request, reply) => {
    if (excluded.test(request.url)) return reply.callNotFound()
    return sendPrecompressed(request, reply.headers(SPECULATION), notFound, 404)
  })
  const rules = await precompress(SPECULATION_RULES_TYPE, speculationRules())
  app.get(SPECULATION_RULES_PATH, (request, reply) => sendPrecompressed(request, reply, rules))
  await serveStaticFiles(app)
  await serveHashedAssets(app)
}

/** Renders one page per phase on first use: the campaign opens and closes while the server runs. */
function byPhase(
  render: (phase: Phase) => Promise<PrecompressedFile>,
): (phase: Phase) => Promise<PrecompressedFile> {
  const pages = new Map<Phase, Promise<PrecompressedFile>>()
  return (phase) => {
    const page = pages.get(phase) ?? render(phase)
    pages.set(phase, page)
    return page
  }
}

async function loadRenderer(): Promise<typeof Renderer> {
  const url = pathToFileURL(path.join(DIST, 'server/render.js'))
  return (await import(url.href)) as typeof Renderer
}

/** Files without a content hash in their name. */
async function serveStaticFiles(app: FastifyInstance) {
  const types = { 'head.js': 'text/javascript; charset=utf-8', 'favicon.svg': 'image/svg+xml' }
  for (const [name, type] of Object.entries(types)) {
    const file = await precompress(type, await readFile(path.join(DIST, 'client', name), 'utf8'))
    app.get(`/${name}`, (request, reply) => sendPrecompressed(request, reply, file))
  }
}

/** Names contain a content hash, so that browsers may cache them for good. */
async function serveHashedAssets(app: FastifyInstance) {
  await app.register(fastifyStatic, {
    root: path.join(DIST, 'client/assets'),
    prefix: '/assets/',
    preCompressed: true,
    cacheControl: false,
    index: false,
    decorateReply: false,
    setHeaders(reply) {
      reply.header('cache-control', 'public, max-age=31536000, immutable')
    },
  })
}

/**
 * Which links a browser may prerender: only marketing pages, which have no side effects (islands hydrate when
 * visible). Links to the current page are excluded.
 */
function speculationRules(): string {
  const pages = Object.values(ROUTES).filter(({ kind }) => kind === 'page')
  const where = {
    and: [
      { href_matches: pages.map((page) => ({ pathname: page.path, search: '' })) },
      { not: { selector_matches: '[aria-current="page"], [data-here], [href^="#"]' } },
    ],
  }
  return JSON.stringify({ prerender: [{ where, eagerness: 'moderate' }] })
}

/** The journal's page, rendered on first request and again after a new head is published. */
function journalPage(
  render: (heads: readonly PublishedHead[]) => string,
  readHeads: ReadHeads,
): () => Promise<PrecompressedFile> {
  let cached: { heads: readonly PublishedHead[]; page: Promise<PrecompressedFile> } | undefined
  return async () => {
    const heads = await readHeads()
    if (cached?.heads !== heads) cached = { heads, page: precompress(HTML, render(heads)) }
    return cached.page
  }
}
