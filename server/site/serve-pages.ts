import type { FastifyInstance } from 'fastify'
import { campaigns } from '#contract/campaigns.ts'
import { DEFAULT_LOCALE, type Locale, LOCALES, localizedPath } from '#contract/locales.ts'
import { tokenProofs } from '#contract/token-proofs.ts'
import { DASHBOARD_SECTIONS } from '#web/dashboard-routes.ts'
import { archivePath, pathsOf, type Route, ROUTES } from '#web/routes.ts'
import type * as Renderer from '#web/site/render.tsx'
import type { SiteAssets, SiteContext } from '#web/site/site-context.ts'
import { campaignIn } from '../domain/campaign/localized-campaign.ts'
import type { RenderDraft } from '../domain/settings/render-draft.ts'
import {
  type AnswerOptions,
  createAnswer,
  type PublicAnswer,
} from '../platform/http/public-answers/answer.ts'
import {
  type PublicAnswers,
  sendAnswer,
  type Source,
} from '../platform/http/public-answers/public-answers.ts'
import { SANDBOX } from '../platform/http/security/security-headers.ts'
import { Refusal } from '../platform/refusal.ts'
import type { ReadInvitation } from './invitations.ts'
import { campaignSource, type Live, livePage } from './live/live-pages.ts'
import { previewOf, type SiteParts, type SiteSettings, unreadContext } from './site-parts.ts'

export const SPECULATION_RULES_PATH = '/speculation-rules.json'
const HEADERS = { 'cache-control': 'no-cache' }
export const PAGE_OPTIONS: AnswerOptions = {
  type: 'text/html; charset=utf-8',
  headers: { ...HEADERS, 'speculation-rules': `"${SPECULATION_RULES_PATH}"` },
  compression: 'best',
}

const FAST_PAGE_OPTIONS: AnswerOptions = { ...PAGE_OPTIONS, compression: 'fast' }

/** Without speculation rules, because a sandboxed page has no origin and may not fetch them. */
const SANDBOXED_PAGE_OPTIONS: AnswerOptions = { ...PAGE_OPTIONS, headers: { ...HEADERS, ...SANDBOX } }

export type PageParts = SiteParts & { readInvitation: ReadInvitation }

/** Renders the HTML of a page, with the renderer of a language. */
type Page = (site: typeof Renderer, context: SiteContext) => string

type RenderTools = {
  assets: SiteAssets
  loadRenderer: () => Promise<typeof Renderer>
  /** Completes the HTML of a page. Only in development, where every request renders its page. */
  complete?: (html: string) => Promise<string>
}

/** What serves the pages and screens in one language. */
type Edition = PageParts & {
  app: FastifyInstance
  locale: Locale
  settings: SiteSettings
  /** Whether answers are kept until their content changes. */
  keepsAnswers: boolean
  /** {@link PublicAnswers.source}, or in development a source that keeps nothing. */
  sourceOf: PublicAnswers['source']
  renderPage: (page: Page, live: Partial<Live>) => Promise<string>
  renderAnswer: (page: Page, live: Partial<Live>, options?: AnswerOptions) => Promise<PublicAnswer>
}

/** Serves the pages and screens in each language. Renders most of those in the default language at once. */
export async function servePages(
  app: FastifyInstance,
  settings: SiteSettings,
  parts: PageParts,
  toolsFor: (locale: Locale) => Promise<RenderTools>,
): Promise<RenderDraft> {
  const editions = new Map<Locale, Edition>()
  for (const locale of LOCALES) {
    const edition = editionOf(await toolsFor(locale), { ...parts, app, locale, settings })
    await serveFixedPages(edition)
    await serveRegister(edition)
    await serveLivePages(edition)
    await serveArchiveAndUnknown(edition)
    editions.set(locale, edition)
  }
  return async (page, campaign, locale) => {
    const edition = editions.get(locale)
    if (!edition) throw new Error(`There are no pages in ${locale}.`)
    const { route, shown } = await previewOf(page, campaign, parts.readProofs)
    return edition.renderPage(pageOf(route), shown)
  }
}

type EditionParts = Pick<Edition, keyof PageParts | 'app' | 'locale' | 'settings'>

function editionOf({ assets, loadRenderer, complete }: RenderTools, parts: EditionParts): Edition {
  const { locale, settings } = parts
  const renderPage = async (page: Page, live: Partial<Live>) => {
    // Created for each rendering, because settings change while the server runs.
    const context = { ...unreadContext(settings, assets, locale), ...live }
    return page(await loadRenderer(), { ...context, campaign: campaignIn(context.campaign, locale) })
  }
  const renderAnswer = async (page: Page, live: Partial<Live>, options = PAGE_OPTIONS) => {
    const html = await renderPage(page, live)
    if (!complete) return createAnswer(html, options)
    // Drops HEADERS, so that browsers keep no copy. In the sandbox, the scripts that Vite adds could not run.
    if (options === SANDBOXED_PAGE_OPTIONS) return createAnswer(html, { ...options, headers: SANDBOX })
    return createAnswer(await complete(html), { ...options, headers: {}, compression: 'fast' })
  }
  const keepsAnswers = complete === undefined
  const sourceOf: Edition['sourceOf'] = keepsAnswers
    ? parts.publicAnswers.source
    : (_key, _group, read) => unkept(read)
  return { ...parts, keepsAnswers, sourceOf, renderPage, renderAnswer }
}

// `FIXED`: the routes whose pages change only with the campaign.
const { home, about, tokenomics, check, journal, register, rules, archive, ...FIXED } = ROUTES

const pageOf =
  (route: Route): Page =>
  (site, context) =>
    site.renderRoute(route, context)

async function serveFixedPages(edition: Edition) {
  for (const route of [...Object.values(FIXED), ...DASHBOARD_SECTIONS])
    serve(edition, route, await fixedPage(edition, pageOf(route)))
}

/** A page that changes only with the campaign. In the default language, it is rendered at once. */
async function fixedPage(edition: Edition, page: Page, options = PAGE_OPTIONS): Promise<Source> {
  const { keepsAnswers, locale, settings, renderAnswer } = edition
  if (!keepsAnswers) return unkept(() => renderAnswer(page, {}, options))
  const source = campaignSource(settings, (campaign) => renderAnswer(page, { campaign }, options))
  if (locale === DEFAULT_LOCALE) await source.read()
  return source
}

const unkept = (read: () => Promise<PublicAnswer>): Source => ({ current: () => undefined, read })

function serve({ app, locale, publicAnswers }: Edition, route: Route, source: Source) {
  for (const url of pathsOf(route, locale))
    app.get(url, (request, reply) => publicAnswers.send(request, reply, source))
}

/** The preview of a referral link names the inviter. */
async function serveRegister(edition: Edition) {
  const { app, locale, publicAnswers, readInvitation, renderAnswer } = edition
  const withoutInviter = await fixedPage(edition, pageOf(register))
  app.get<{ Querystring: { ref?: unknown } }>(localizedPath(locale, register.id), async (request, reply) => {
    const { ref } = request.query
    if (ref === undefined) return publicAnswers.send(request, reply, withoutInviter)
    // The page has to open even while the database is unreachable.
    const invitation = await readInvitation(ref, locale).catch(() => undefined)
    if (!invitation) return sendAnswer(request, reply, await withoutInviter.read())
    const page: Page = (site, context) => site.renderRoute(register, context, invitation.shared)
    return sendAnswer(request, reply, await renderAnswer(page, {}, FAST_PAGE_OPTIONS))
  })
}

async function serveLivePages(edition: Edition) {
  const { locale, archive: archiveReader, readHeads, readLife, readProofs } = edition
  const proofs = async () => ({ proofs: await readProofs() })
  for (const route of [about, tokenomics]) serveLive(edition, route, tokenProofs.path, proofs)
  serveLive(edition, check, tokenProofs.path, proofs, SANDBOXED_PAGE_OPTIONS)
  serveLive(edition, journal, journal.path, async () => ({ heads: await readHeads() }))
  serveLive(edition, archive, campaigns.path, async () => ({ archive: await archiveReader.list(locale) }))
  serveLive(edition, rules, campaigns.path, async () => ({ life: await readLife() }))
  const homePage = serveLive(edition, home, tokenProofs.path, async () => ({
    ...(await proofs()),
    life: await readLife(),
  }))
  if (locale === DEFAULT_LOCALE && edition.keepsAnswers) await homePage.read()
}

/**
 * @param group the path of an endpoint. When its answers expire, the page expires, too.
 * @param readShown reads the values that the page shows in addition to the campaign.
 */
function serveLive(
  edition: Edition,
  route: Route,
  group: string,
  readShown: () => Promise<Omit<Live, 'campaign'>>,
  options = PAGE_OPTIONS,
) {
  const readLive = async () => ({ campaign: edition.settings.campaign, ...(await readShown()) })
  const render = (live: Live) => edition.renderAnswer(pageOf(route), live, options)
  const key = localizedPath(edition.locale, route.id) // An id is a path in the default language.
  const read = edition.keepsAnswers ? livePage(readLive, render) : async () => render(await readLive())
  const source = edition.sourceOf(key, group, read)
  serve(edition, route, source)
  return source
}

async function serveArchiveAndUnknown(edition: Edition) {
  const { app, locale, excluded } = edition
  const notFound = await fixedPage(edition, (site, context) => site.renderNotFound(context), {
    ...PAGE_OPTIONS,
    status: 404,
  })
  serveArchived(edition, notFound)
  const root = locale === DEFAULT_LOCALE ? '' : localizedPath(locale, '/')
  app.get(`${root}/*`, async (request, reply) =>
    excluded.test(request.url) ? reply.callNotFound() : sendAnswer(request, reply, await notFound.read()),
  )
}

const CAMPAIGN_ID = /^[a-z0-9-]{3,40}$/
const PAGE_NUMBER = /^[1-9][0-9]{0,5}$/

/** These pages expire together with the answers of `GET /campaigns`. */
function serveArchived(
  { app, locale, archive: reader, publicAnswers, sourceOf, renderAnswer }: Edition,
  notFound: Source,
) {
  const path = localizedPath(locale, archivePath(':id'))
  type Request = { Params: { id: string }; Querystring: { page?: unknown } }
  app.get<Request>(path, async (request, reply) => {
    const { id } = request.params
    const page = typeof request.query.page === 'string' ? request.query.page : '1'
    if (!CAMPAIGN_ID.test(id) || !PAGE_NUMBER.test(page))
      return sendAnswer(request, reply, await notFound.read())
    const source = sourceOf(`${path} ${id} ${page}`, campaigns.path, async () => {
      const archived = await reader.read(locale, id, Number(page))
      // Rendered up to once a second for each page of the leaderboard: too often for the best compression.
      return renderAnswer((site, context) => site.renderArchived(context, archived), {}, FAST_PAGE_OPTIONS)
    })
    try {
      return await publicAnswers.send(request, reply, source)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return sendAnswer(request, reply, await notFound.read())
    }
  })
}
