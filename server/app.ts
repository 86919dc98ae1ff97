import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { campaign } from '#contract/campaign.ts'
import type { Topic } from '#contract/events.ts'
import type { Rpc } from '#contract/token-proofs/rpc.ts'
import { leaderboard } from '#contract/leaderboard.ts'
import { tokenProofs } from '#contract/token-proofs.ts'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import { alertMails } from './domain/alerts/mail.ts'
import { alertRoutes } from './domain/alerts/routes.ts'
import { announcementMails } from './domain/announcements/mail.ts'
import { announcementRoutes } from './domain/announcements/routes.ts'
import { addUnsubscribe } from './domain/announcements/unsubscribe-routes.ts'
import { accountMails } from './domain/accounts/mail.ts'
import { accountRoutes } from './domain/accounts/routes.ts'
import { perCampaign } from './domain/campaign/live-campaign.ts'
import { createResultsReader } from './domain/campaign/read-results.ts'
import { campaignRoutes } from './domain/campaign/routes.ts'
import type { Config } from './config/config.ts'
import type { Deps } from './deps.ts'
import type { DeploymentChecks } from './doctor/deployment-checks.ts'
import { doctorMails } from './doctor/mail.ts'
import { deploymentRoutes } from './doctor/routes.ts'
import type { EventHub } from './domain/events/hub.ts'
import { addEvents } from './domain/events/routes.ts'
import { findReferrer } from './domain/referrals/referrer.ts'
import { addHealth } from './health/routes.ts'
import { insightRoutes } from './domain/insights/routes.ts'
import type { VisitCounter } from './domain/insights/visits/counter.ts'
import { addVisits } from './domain/insights/visits/routes.ts'
import { createHeadReader } from './domain/journal/heads.ts'
import { addHeads, journalRoutes } from './domain/journal/routes.ts'
import { leaderboardRoutes } from './domain/leaderboard/routes.ts'
import { mailContext } from './domain/mail/templates.ts'
import { addMailbox } from './domain/mail/mailbox-routes.ts'
import { type MailOptions, mailRoutes } from './domain/mail/routes.ts'
import { marketRoutes } from './domain/market/routes.ts'
import type { ReadPrice } from './domain/market/read-price.ts'
import { catalogIn } from './messages/errors.ts'
import { addCspReports } from './platform/http/security/csp-reports.ts'
import { addOpenApi } from './platform/http/docs/openapi.ts'
import { refusalForUnknown, sendRefusal } from './platform/http/errors.ts'
import { limitsPerNetwork } from './platform/limits/network.ts'
import { proofMails } from './domain/token-proofs/mail.ts'
import { createProofReader } from './domain/token-proofs/read-proofs.ts'
import { proofRoutes } from './domain/token-proofs/routes.ts'
import { createPublicAnswers, type PublicAnswers } from './platform/http/public-answers/public-answers.ts'
import { mount, type Route } from './platform/http/route.ts'
import { createHttpServer, type HttpOptions } from './platform/http/server.ts'
import type { Probe } from './platform/database/probe.ts'
import { consumeOrRefuse } from './platform/limits/rate-limiter.ts'
import { type Background, createBackground } from './domain/payouts/background.ts'
import { payoutMails } from './domain/payouts/mail.ts'
import { payoutRoutes } from './domain/payouts/routes.ts'
import { readPng } from './domain/look/pictures.ts'
import { addPictures, lookRoutes } from './domain/look/routes.ts'
import { peopleRoutes } from './domain/people/routes.ts'
import { referralRoutes } from './domain/referrals/routes.ts'
import { addReviewEvents } from './domain/review/events.ts'
import { reviewRoutes } from './domain/review/routes.ts'
import { authenticate, readCaller } from './domain/sessions/session.ts'
import { sessionMails } from './domain/sessions/mail.ts'
import { sessionRoutes } from './domain/sessions/routes.ts'
import { setupRoutes } from './domain/setup/routes.ts'
import { DRAWINGS } from './site/invitations.ts'
import { createArchiveReader } from './site/archive-pages.ts'
import { createLifeReader } from './site/live/life.ts'
import { registerSite } from './site/register-site.ts'
import { serveWidgets } from './site/widgets/serve-widgets.ts'
import type { RenderDraft } from './domain/settings/render-draft.ts'
import { settingRoutes } from './domain/settings/routes.ts'
import { slotMails } from './domain/slots/mail.ts'
import { slotRoutes } from './domain/slots/routes.ts'
import { claimMails } from './domain/claims/mail.ts'
import { claimRoutes } from './domain/claims/routes.ts'
import type { TelegramLogin } from './domain/telegram/provider.ts'
import { telegramRoutes } from './domain/telegram/routes.ts'
import { walletRoutes } from './domain/wallets/routes.ts'
import { twoFactorMails } from './domain/two-factor/mail.ts'
import { twoFactorRoutes } from './domain/two-factor/routes.ts'
import { webhookMails } from './domain/webhooks/mail.ts'
import { webhookRoutes } from './domain/webhooks/routes.ts'

export const mailTemplates = {
  ...accountMails,
  ...claimMails,
  ...slotMails,
  ...proofMails,
  ...payoutMails,
  ...doctorMails,
  ...webhookMails,
  ...alertMails,
  ...announcementMails,
  ...twoFactorMails,
  ...sessionMails,
}

/** For each topic of events, the endpoints whose cached answers expire with it. */
const SHOWN_IN: Record<Topic, readonly Endpoint['path'][]> = {
  slots: [campaign.path],
  leaderboard: [leaderboard.path],
  proofs: [tokenProofs.path],
  heartbeat: [],
  claims: [],
}

type AppOptions = Pick<
  Config,
  'isProduction' | 'publicUrl' | 'trustProxy' | 'metricsToken' | 'smtpUrl' | 'requireAdminTotp'
> &
  Pick<HttpOptions, 'admission'> & {
    /** Pages come from Vite, with hot reload. */
    isDev: boolean
    /** Serves the marketing pages and the application shell; API tests leave them out. */
    hasSite: boolean
    /** How long this node caches public answers; 0 turns the cache off. */
    keepPublicForMs: number
    /** Where drawn pictures are cached between starts. */
    dataDir?: string
  }

type AppParts = {
  deps: Deps
  pool: pg.Pool
  probe: Probe
  events: EventHub
  readPrice: ReadPrice
  /** Undefined when TELEGRAM_CLIENT_ID is not set. */
  telegramLogin: TelegramLogin | undefined
  /** Calls fail if they reach another chain than the campaign's. */
  rpc: Rpc
  /** Does not check the chain id, and accepts larger and slower replies. */
  scanRpc: Rpc
  visits: VisitCounter
  mail: MailOptions
  isDraining: () => boolean
  deploymentChecks: DeploymentChecks
}

/** Assembles the product. {@link addEndpoints} and {@link routesOf} list its features. */
export async function createApp(options: AppOptions, parts: AppParts): Promise<FastifyInstance> {
  const { deps } = parts
  const { log: logger, security } = deps
  const readers = readersOf(options, deps)
  const publicAnswers = publicAnswersOf(options, parts)
  const app = createHttpServer({ ...options, logger, security, catalogIn, publicAnswers })
  const background = createBackground(deps)
  app.addHook('onClose', () => background.stop())
  // Set below, because the site, which renders drafts, needs the routes.
  let renderDraft: RenderDraft | undefined
  const routes = routesOf(options, parts, { ...readers, background, renderDraft: () => renderDraft })
  addEndpoints(app, options, parts, { ...readers, publicAnswers, routes })
  app.setNotFoundHandler((request, reply) => {
    const { refusal, allow } = refusalForUnknown(request, routes)
    if (allow !== '') reply.header('allow', allow)
    return sendRefusal(reply, request, refusal, catalogIn)
  })
  await serveWidgets(app, deps, { publicUrl: options.publicUrl, publicAnswers })
  if (options.hasSite) renderDraft = await addSite(app, options, { deps, publicAnswers, routes, ...readers })
  return app
}

type Readers = ReturnType<typeof readersOf>

function readersOf({ keepPublicForMs }: AppOptions, deps: Deps) {
  const { publicReads, log } = deps
  const currentProofReader = perCampaign(deps, (current) =>
    createProofReader({ publicReads, log, campaign: current }),
  )
  return {
    readHeads: createHeadReader(publicReads),
    readProofs: () => {
      const readProofs = currentProofReader()
      return readProofs()
    },
    // Results are not cached either if public answers are not, as in tests.
    readResults: createResultsReader(keepPublicForMs === 0 ? 0 : undefined),
  }
}

function publicAnswersOf({ keepPublicForMs }: AppOptions, { deps, events }: AppParts): PublicAnswers {
  const publicAnswers = createPublicAnswers({
    keepForMs: keepPublicForMs,
    // Makes the next reads see all writes: a lagging replica could bring back the previous answers.
    onExpire: () => deps.publicReads.recordWrite(),
  })
  // A client refetches as soon as an event reaches it, and must not get the previous answer.
  events.beforePublishing((topic) => publicAnswers.expire(SHOWN_IN[topic]))
  deps.liveCampaign.onChange(() => publicAnswers.expire())
  return publicAnswers
}

type EndpointParts = Readers & { publicAnswers: PublicAnswers; routes: readonly Route[] }

/** Adds everything but the site: the routes, and what features serve besides them. */
function addEndpoints(
  app: FastifyInstance,
  { publicUrl, isProduction, smtpUrl, metricsToken, requireAdminTotp }: AppOptions,
  { deps, pool, probe, events, isDraining, visits }: AppParts,
  { readHeads, publicAnswers, routes }: EndpointParts,
): void {
  const { db, keys, publicReads, security } = deps
  const isHttps = publicUrl.startsWith('https:')
  const demands = { requiresSecondFactor: requireAdminTotp }
  const campaignId = () => deps.campaign.id
  addHealth(app, { publicAnswers, pool, publicReads, probe, security, campaignId, isDraining, metricsToken })
  mount(app, routes, {
    db,
    keys,
    authenticate: (credentials) => authenticate(db, credentials, demands),
    isHttps,
    publicAnswers,
    catalogIn,
  })
  addEvents(app, events)
  addHeads(app, readHeads, publicAnswers)
  addReviewEvents(app, events, { readCaller: (credentials) => readCaller(db, credentials, demands), isHttps })
  addPictures(app, deps)
  addCspReports(app)
  addVisits(app, visits)
  addUnsubscribe(app, deps)
  addOpenApi(app, endpointsOf(routes), {
    get name() {
      return deps.campaign.name
    },
    publicUrl,
  })
  if (!isProduction && !smtpUrl)
    addMailbox(app, { db, templates: mailTemplates, context: mailContext(deps, publicUrl) })
}

type RouteParts = Readers & { background: Background; renderDraft: () => RenderDraft | undefined }

function routesOf(
  options: AppOptions,
  parts: AppParts,
  { readProofs, readResults, background, renderDraft }: RouteParts,
): Route[] {
  const { deps, telegramLogin } = parts
  const { publicUrl, isProduction } = options
  return [
    ...accountRoutes(deps),
    ...sessionRoutes(deps),
    ...leaderboardRoutes(deps),
    ...claimRoutes(deps, telegramLogin !== undefined),
    ...telegramRoutes(deps, telegramLogin),
    ...walletRoutes(deps, { publicUrl, rpc: parts.rpc }),
    ...slotRoutes(deps),
    ...reviewRoutes(deps),
    ...setupRoutes(deps),
    ...lookRoutes(deps),
    ...deploymentRoutes(parts.deploymentChecks),
    ...peopleRoutes(deps),
    ...campaignRoutes(deps, readResults),
    ...referralRoutes(deps),
    ...marketRoutes(deps, parts.readPrice),
    ...proofRoutes(readProofs),
    ...journalRoutes(deps),
    ...insightRoutes(deps),
    ...payoutRoutes(deps, { background, rpc: parts.scanRpc }),
    ...twoFactorRoutes(deps, { isRequired: options.requireAdminTotp }),
    ...webhookRoutes(deps, { allowLoopback: !isProduction }),
    ...settingRoutes(deps, renderDraft),
    ...announcementRoutes(deps, { publicUrl }),
    ...mailRoutes(deps, parts.mail),
    ...alertRoutes(deps),
  ]
}

const endpointsOf = (routes: readonly Route[]) => routes.map(({ endpoint }) => endpoint)

type SiteParts = EndpointParts & { deps: Deps }

function addSite(app: FastifyInstance, options: AppOptions, parts: SiteParts): Promise<RenderDraft> {
  const { deps, publicAnswers, routes, readHeads, readProofs, readResults } = parts
  return registerSite(app, {
    readHeads,
    readProofs,
    readLife: createLifeReader(deps, readResults),
    archive: createArchiveReader(deps, { readResults, readHeads }),
    publicAnswers,
    endpoints: endpointsOf(routes),
    ...options,
    get campaign() {
      return deps.campaign
    },
    readPng: (reference) => readPng(deps.publicReads, reference),
    findInviter: (code) => findReferrer(deps.db, code),
    countDrawing: (network) =>
      consumeOrRefuse(deps.db, ...limitsPerNetwork(network, 'invitation picture', DRAWINGS)),
  })
}
