import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { DEFAULT_LOCALE, type Locale, LOCALES, localizedPath } from '#contract/locales.ts'
import { campaigns } from '#contract/campaigns.ts'
import { tokenProofs } from '#contract/token-proofs.ts'
import { DOCS_PATH } from '#web/docs-path.ts'
import type * as DocsRenderer from '#web/site/docs/render-docs.tsx'
import type * as Renderer from '#web/site/render.tsx'
import type { SiteAssets, SiteContext } from '#web/site/site-context.ts'
import { DASHBOARD_SECTIONS, SITE_MAP } from '#web/dashboard-routes.ts'
import { pathsOf, ROUTES, type Route } from '#web/routes.ts'
import { campaignIn } from '../domain/campaign/localized-campaign.ts'
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
import { serveDocs } from './docs-pages.ts'
import { builtAssets, builtDocsScript, isOfCheck } from './built-assets.ts'
import { campaignSource } from './live/campaign-source.ts'
import { lifeByDates, type ReadLife } from './live/life.ts'
import { staleWhenSlow, type Live, livePage } from './live/live-pages.ts'

const DIST = path.resolve(import.meta.dirname, '../../dist')
const CLIENT = path.join(DIST, 'client')
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
 * Serves pages from memory, in every language, rendered again after each change of a setting or of what they show;
 * precompressed assets come from `dist/client`.
 */
export async function serveFromBuild(
  app: FastifyInstance,
  settings: SiteSettings,
  parts: Parts,
): Promise<RenderDraft> {
  const renderDraft = await servePages(app, settings, parts, DEFAULT_LOCALE)
  for (const locale of LOCALES) if (locale !== DEFAULT_LOCALE) await servePages(app, settings, parts, locale)
  await serveBuiltDocs(app, settings, parts.publicAnswers)
  const serve = (url: string, source: Source) =>
    app.get(url, (request, reply) => parts.publicAnswers.send(request, reply, source))
  const speculation = { type: SPECULATION_RULES_TYPE, ...FILE }
  serve(SPECULATION_RULES_PATH, fixedSource(await createAnswer(speculationRules(), speculation)))
  await serveStaticFiles(serve)
  await serveHashedAssets(app)
  return renderDraft
}

/**
 * Serves the pages and the application's shells in a language. Those of the default language are rendered at once, the
 * others when the first visitor asks for one.
 */
async function servePages(
  app: FastifyInstance,
  settings: SiteSettings,
  { excluded, readInvitation, readHeads, readProofs, readLife, archive, publicAnswers }: Parts,
  locale: Locale,
): Promise<RenderDraft> {
  const assets = await builtAssets(CLIENT, locale)
  // Settings change while the server runs.
  const contextOf = (live: Partial<Live>): SiteContext => {
    const context = { ...emptyContext(settings, assets), ...live }
    return { ...context, campaign: campaignIn(context.campaign, locale) }
  }
  const renderer = lazyRenderer(locale)
  const isDefault = locale === DEFAULT_LOCALE
  const serve = (route: Route, source: Source) => {
    for (const url of pathsOf(route, locale))
      app.get(url, (request, reply) => publicAnswers.send(request, reply, source))
  }
  const { home, about, tokenomics, check, journal, register, rules, archive: ended, ...fixed } = ROUTES
  const pageSource = async (
    render: (site: typeof Renderer, context: SiteContext) => string,
    response: About = PAGE,
  ) => {
    const source = campaignSource(settings, async (campaign) =>
      createAnswer(render(await renderer(), contextOf({ campaign })), response),
    )
    if (isDefault) await source.read()
    return source
  }
  for (const route of [...Object.values(fixed), ...DASHBOARD_SECTIONS])
    serve(route, await pageSource((site, context) => site.renderRoute(route, context)))
  const registerPage = await pageSource((site, context) => site.renderRoute(register, context))
  app.get<{ Querystring: { ref?: unknown } }>(localizedPath(locale, register.id), async (request, reply) => {
    const { ref } = request.query
    if (ref === undefined) return publicAnswers.send(request, reply, registerPage)
    // Without the database the page opens too, without naming the inviter.
    const invitation = await readInvitation(ref).catch(() => undefined)
    const page = invitation
      ? createAnswer((await renderer()).renderRoute(register, contextOf({}), invitation.shared), {
          ...PAGE,
          compression: 'fast',
        })
      : registerPage.read()
    return sendAnswer(request, reply, await page)
  })
  const serveLive = (route: Route, group: string, readLive: () => Promise<Live>, response: About = PAGE) => {
    const render = async (live: Live) =>
      createAnswer((await renderer()).renderRoute(route, contextOf(live)), response)
    const source = publicAnswers.source(localizedPath(locale, route.id), group, livePage(readLive, render))
    serve(route, source)
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
    archive: await archive.list(locale),
    campaign: settings.campaign,
  }))
  const life = staleWhenSlow(readLife)
  serveLive(rules, campaigns.path, async () => ({ campaign: settings.campaign, life: await life() }))
  const homePage = serveLive(home, tokenProofs.path, async () => ({
    ...(await withProofs()),
    life: await life(),
  }))
  if (isDefault) await homePage.read()
  const notFound = await pageSource((site, context) => site.renderNotFound(context), { ...PAGE, status: 404 })
  serveArchivedCampaigns(app, {
    locale,
    path: localizedPath(locale, `${ended.id}/:id`),
    archive,
    publicAnswers,
    render: async (archived) =>
      createAnswer((await renderer()).renderArchived(contextOf({}), archived), PAGE),
    notFound: () => notFound.read(),
  })
  app.get(`${isDefault ? '' : localizedPath(locale, '/')}/*`, async (request, reply) =>
    excluded.test(request.url) ? reply.callNotFound() : sendAnswer(request, reply, await notFound.read()),
  )
  return async (page, campaign) => {
    const route = Object.values<Route>(ROUTES).find(({ id }) => id === page) ?? home
    const drafted = { campaign, life: lifeByDates(campaign), proofs: await proofs() }
    return (await renderer()).renderRoute(route, contextOf(drafted))
  }
}

/** Everything that changes while the server runs is empty, except for the settings. */
const emptyContext = (settings: SiteSettings, assets: SiteAssets): SiteContext => ({
  ...settings,
  assets,
  heads: [],
  life: lifeByDates(settings.campaign),
  archive: [],
  proofs: [],
})

/** Serves the documentation, which is in English only. */
async function serveBuiltDocs(app: FastifyInstance, settings: SiteSettings, publicAnswers: PublicAnswers) {
  const assets = await builtAssets(CLIENT, DEFAULT_LOCALE)
  const script = await builtDocsScript(CLIENT)
  const docs = (await import(
    pathToFileURL(path.join(DIST, 'server/render-docs.js')).href
  )) as typeof DocsRenderer
  serveDocs(app, {
    publicUrl: settings.publicUrl,
    publicAnswers,
    docs,
    pageSource: (at, status = 200) =>
      campaignSource(settings, () =>
        createAnswer(docs.renderDocs(at, emptyContext(settings, assets), script), { ...PAGE, status }),
      ),
  })
}

/** The renderer of a language, loaded when it is first needed. */
function lazyRenderer(locale: Locale): () => Promise<typeof Renderer> {
  const url = pathToFileURL(path.join(DIST, `server/render-${locale}.js`))
  let loaded: Promise<typeof Renderer> | undefined
  return () => (loaded ??= import(url.href) as Promise<typeof Renderer>)
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
      {
        href_matches: [
          ...LOCALES.flatMap((locale) => pages.map(({ id }) => localizedPath(locale, id))),
          DOCS_PATH,
          `${DOCS_PATH}/*`,
        ].map((pathname) => ({ pathname, search: '' })),
      },
      { not: { selector_matches: '[aria-current="page"], [data-here], [href^="#"]' } },
    ],
  }
  return JSON.stringify({ prerender: [{ where, eagerness: 'moderate' }] })
}
