import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { campaigns } from '#contract/campaigns.ts'
import { tokenProofs } from '#contract/token-proofs.ts'
import type * as Renderer from '#web/site/render.tsx'
import type { SiteContext } from '#web/site/site-context.ts'
import { DASHBOARD_SECTIONS, SITE_MAP } from '#web/dashboard-routes.ts'
import { pathsOf, ROUTES, type Route } from '#web/routes.ts'
import type { ReadHeads } from '../domain/journal/heads.ts'
import type { RenderDraft } from '../domain/settings/render-draft.ts'
import type { ReadProofs } from '../domain/proofs/read-proofs.ts'
import { type About, createAnswer } from '../platform/http/public-answers/answer.ts'
import {
  fixedSource,
  type PublicAnswers,
  sendAnswer,
  type Source,
} from '../platform/http/public-answers/public-answers.ts'
import { SANDBOX } from '../platform/http/security/security-headers.ts'
import { type ArchiveReader, serveArchivedCampaigns } from './archive-pages.ts'
import type { ReadInvitation } from './invitations.ts'
import { builtAssets, isOfCheck } from './built-assets.ts'
import { campaignSource } from './live/campaign-source.ts'
import { lifeByDates, type ReadLife } from './live/life.ts'
import { staleWhenSlow, type Live, livePage } from './live/live-pages.ts'

const DIST = path.resolve(import.meta.dirname, '../../dist')
const SPECULATION_RULES_PATH = '/speculation-rules.json'
/** The only media type that browsers accept. */
const SPECULATION_RULES_TYPE = 'application/speculationrules+json'
const FILE = { headers: { 'cache-control': 'no-cache' }, compression: 'best' } as const
const PAGE = {
  ...FILE,
  type: 'text/html; charset=utf-8',
  headers: { ...FILE.headers, 'speculation-rules': `"${SPECULATION_RULES_PATH}"` },
}

/** Without rules for prerendering, which a page without an origin may not fetch. */
const SANDBOXED_PAGE = { ...PAGE, headers: { ...FILE.headers, ...SANDBOX } }

type Parts = {
  excluded: RegExp
  readInvitation: ReadInvitation
  readHeads: ReadHeads
  readProofs: ReadProofs
  readLife: ReadLife
  archive: ArchiveReader
  publicAnswers: PublicAnswers
}

/** What is known of a page before it is rendered. */
export type SiteSettings = Omit<SiteContext, 'archive' | 'assets' | 'heads' | 'life' | 'proofs'>

/**
 * Serves pages from memory, rendered again after each change of a setting or of what they show; precompressed assets
 * come from `dist/client`.
 */
export async function serveFromBuild(
  app: FastifyInstance,
  settings: SiteSettings,
  { excluded, readInvitation, readHeads, readProofs, readLife, archive, publicAnswers }: Parts,
): Promise<RenderDraft> {
  const assets = await builtAssets(path.join(DIST, 'client'))
  // Settings change while the server runs.
  const contextOf = (live: Partial<Live>): SiteContext => ({
    ...settings,
    assets,
    heads: [],
    life: lifeByDates(settings.campaign),
    archive: [],
    proofs: [],
    ...live,
  })
  const { renderRoute, renderArchived, renderNotFound } = await loadRenderer()
  const serve = (url: string, source: Source) =>
    app.get(url, (request, reply) => publicAnswers.send(request, reply, source))
  const { home, about, tokenomics, check, journal, register, rules, archive: ended, ...fixed } = ROUTES
  const pageSource = async (render: (context: SiteContext) => string, response: About = PAGE) => {
    const source = campaignSource(settings, (campaign) =>
      createAnswer(render(contextOf({ campaign })), response),
    )
    await source.read()
    return source
  }
  for (const route of [...Object.values(fixed), ...DASHBOARD_SECTIONS]) {
    const source = await pageSource((context) => renderRoute(route, context))
    for (const url of pathsOf(route)) serve(url, source)
  }
  const registerPage = await pageSource((context) => renderRoute(register, context))
  app.get<{ Querystring: { ref?: unknown } }>(register.path, async (request, reply) => {
    const { ref } = request.query
    if (ref === undefined) return publicAnswers.send(request, reply, registerPage)
    // Without the database the page opens too, without naming the inviter.
    const invitation = await readInvitation(ref).catch(() => undefined)
    const page = invitation
      ? createAnswer(renderRoute(register, contextOf({}), invitation.shared), {
          ...PAGE,
          compression: 'fast',
        })
      : registerPage.read()
    return sendAnswer(request, reply, await page)
  })
  const serveLive = (route: Route, group: string, readLive: () => Promise<Live>, response: About = PAGE) => {
    const render = (live: Live) => createAnswer(renderRoute(route, contextOf(live)), response)
    const source = publicAnswers.source(route.path, group, livePage(readLive, render))
    serve(route.path, source)
    return source
  }
  const proofs = staleWhenSlow(readProofs)
  const withProofs = async () => ({ proofs: await proofs(), campaign: settings.campaign })
  for (const route of [about, tokenomics]) serveLive(route, tokenProofs.path, withProofs)
  serveLive(check, tokenProofs.path, withProofs, SANDBOXED_PAGE)
  serveLive(journal, journal.path, async () => ({
    heads: await readHeads(),
    campaign: settings.campaign,
  }))
  serveLive(ended, campaigns.path, async () => ({
    archive: await archive.list(),
    campaign: settings.campaign,
  }))
  const life = staleWhenSlow(readLife)
  serveLive(rules, campaigns.path, async () => ({ campaign: settings.campaign, life: await life() }))
  const homePage = serveLive(home, tokenProofs.path, async () => ({
    ...(await withProofs()),
    life: await life(),
  }))
  await homePage.read()
  const notFound = await pageSource(renderNotFound, { ...PAGE, status: 404 })
  serveArchivedCampaigns(app, {
    archive,
    publicAnswers,
    render: (archived) => createAnswer(renderArchived(contextOf({}), archived), PAGE),
    notFound: () => notFound.read(),
  })
  app.get('/*', async (request, reply) =>
    excluded.test(request.url) ? reply.callNotFound() : sendAnswer(request, reply, await notFound.read()),
  )
  const speculation = { type: SPECULATION_RULES_TYPE, ...FILE }
  serve(SPECULATION_RULES_PATH, fixedSource(await createAnswer(speculationRules(), speculation)))
  await serveStaticFiles(serve)
  await serveHashedAssets(app)
  return async (page, campaign) => {
    const route = Object.values<Route>(ROUTES).find(({ path: at }) => at === page) ?? home
    const drafted = { campaign, life: lifeByDates(campaign), proofs: await proofs() }
    return renderRoute(route, contextOf(drafted))
  }
}

async function loadRenderer(): Promise<typeof Renderer> {
  const url = pathToFileURL(path.join(DIST, 'server/render-en.js'))
  return (await import(url.href)) as typeof Renderer
}

/** Files without a content hash in their name. */
async function serveStaticFiles(serve: (url: string, source: Source) => void) {
  const types = { 'head.js': 'text/javascript; charset=utf-8', 'favicon.svg': 'image/svg+xml' }
  for (const [name, type] of Object.entries(types)) {
    const text = await readFile(path.join(DIST, 'client', name), 'utf8')
    serve(`/${name}`, fixedSource(await createAnswer(text, { type, ...FILE })))
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
    setHeaders(reply, file) {
      if (isOfCheck(file)) reply.header('cross-origin-resource-policy', 'cross-origin')
      reply.header('cache-control', 'public, max-age=31536000, immutable')
    },
  })
}

/**
 * Which links a browser may prerender: only marketing pages, which have no side effects (islands hydrate when
 * visible). Links to the current page are excluded.
 */
function speculationRules(): string {
  const pages = SITE_MAP.filter(({ kind }) => kind === 'page')
  const where = {
    and: [
      { href_matches: pages.map((page) => ({ pathname: page.path, search: '' })) },
      { not: { selector_matches: '[aria-current="page"], [data-here], [href^="#"]' } },
    ],
  }
  return JSON.stringify({ prerender: [{ where, eagerness: 'moderate' }] })
}
