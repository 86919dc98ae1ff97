import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { phaseOf } from '#contract/phase.ts'
import { tokenProofs } from '#contract/token-proofs.ts'
import type * as Renderer from '#web/site/render.tsx'
import type { SiteContext } from '#web/site/site-context.ts'
import { ROUTES, type Route } from '#web/routes.ts'
import type { ReadHeads } from '../domain/journal/heads.ts'
import type { ReadProofs } from '../domain/proofs/read-proofs.ts'
import { type About, createAnswer } from '../platform/http/public-answers/answer.ts'
import {
  fixedSource,
  type PublicAnswers,
  sendAnswer,
  type Source,
} from '../platform/http/public-answers/public-answers.ts'
import { SANDBOX } from '../platform/http/security/security-headers.ts'
import type { ReadInvitation } from './invitations.ts'
import { builtAssets, isOfCheck } from './built-assets.ts'
import { staleWhenSlow, type Live, livePage } from './live-pages.ts'

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
  publicAnswers: PublicAnswers
}

/**
 * Serves pages from memory, rendered once or, if they show what changes with time, after each change; precompressed assets come from `dist/client`.
 */
export async function serveFromBuild(
  app: FastifyInstance,
  settings: Omit<SiteContext, 'assets' | 'heads' | 'phase' | 'proofs'>,
  { excluded, readInvitation, readHeads, readProofs, publicAnswers }: Parts,
) {
  const phase = () => phaseOf(settings.campaign.airdrop, Date.now())
  const assets = await builtAssets(path.join(DIST, 'client'))
  const context: SiteContext = { ...settings, assets, heads: [], phase: phase(), proofs: [] }
  const { renderRoute, renderNotFound } = await loadRenderer()
  const serve = (url: string, source: Source) =>
    app.get(url, (request, reply) => publicAnswers.send(request, reply, source))
  const { home, about, tokenomics, check, journal, register, ...fixed } = ROUTES
  for (const route of Object.values(fixed))
    serve(route.path, fixedSource(await createAnswer(renderRoute(route, context), PAGE)))
  const registerPage = fixedSource(await createAnswer(renderRoute(register, context), PAGE))
  app.get<{ Querystring: { ref?: unknown } }>(register.path, async (request, reply) => {
    const { ref } = request.query
    if (ref === undefined) return publicAnswers.send(request, reply, registerPage)
    // Without the database the page opens too, without naming the inviter.
    const invitation = await readInvitation(ref).catch(() => undefined)
    const page = invitation
      ? createAnswer(renderRoute(register, context, invitation.shared), { ...PAGE, compression: 'fast' })
      : registerPage.read()
    return sendAnswer(request, reply, await page)
  })
  const serveLive = (route: Route, group: string, readLive: () => Promise<Live>, response: About = PAGE) => {
    const render = (live: Live) => createAnswer(renderRoute(route, { ...context, ...live }), response)
    const source = publicAnswers.source(route.path, group, livePage(readLive, render))
    serve(route.path, source)
    return source
  }
  const proofs = staleWhenSlow(readProofs)
  const withProofs = async () => ({ proofs: await proofs() })
  for (const route of [about, tokenomics]) serveLive(route, tokenProofs.path, withProofs)
  serveLive(check, tokenProofs.path, withProofs, SANDBOXED_PAGE)
  serveLive(journal, journal.path, async () => ({ heads: await readHeads() }))
  const homePage = serveLive(home, tokenProofs.path, async () => ({ proofs: await proofs(), phase: phase() }))
  await homePage.read()
  const notFound = await createAnswer(renderNotFound(context), { ...PAGE, status: 404 })
  app.get('/*', (request, reply) =>
    excluded.test(request.url) ? reply.callNotFound() : sendAnswer(request, reply, notFound),
  )
  const rules = { type: SPECULATION_RULES_TYPE, ...FILE }
  serve(SPECULATION_RULES_PATH, fixedSource(await createAnswer(speculationRules(), rules)))
  await serveStaticFiles(serve)
  await serveHashedAssets(app)
}

async function loadRenderer(): Promise<typeof Renderer> {
  const url = pathToFileURL(path.join(DIST, 'server/render.js'))
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
  const pages = Object.values(ROUTES).filter(({ kind }) => kind === 'page')
  const where = {
    and: [
      { href_matches: pages.map((page) => ({ pathname: page.path, search: '' })) },
      { not: { selector_matches: '[aria-current="page"], [data-here], [href^="#"]' } },
    ],
  }
  return JSON.stringify({ prerender: [{ where, eagerness: 'moderate' }] })
}
