import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { ENDPOINTS } from '#contract/api.ts'
import { campaign } from '#contract/campaign.ts'
import type { Topic } from '#contract/events.ts'
import type { Rpc } from '#contract/proofs/rpc.ts'
import { leaderboard } from '#contract/leaderboard.ts'
import { tokenProofs } from '#contract/token-proofs.ts'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import { accountMails } from './domain/accounts/mail.ts'
import { accountRoutes } from './domain/accounts/routes.ts'
import { campaignRoutes } from './domain/campaign/routes.ts'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import type { EventHub } from './domain/events/hub.ts'
import { addEvents } from './domain/events/routes.ts'
import { addHealth } from './health/routes.ts'
import { createHeadReader } from './domain/journal/heads.ts'
import { addHeads, journalRoutes } from './domain/journal/routes.ts'
import { leaderboardRoutes } from './domain/leaderboard/routes.ts'
import { addMailbox } from './domain/mail/mailbox-routes.ts'
import { marketRoutes } from './domain/market/routes.ts'
import type { ReadPrice } from './domain/market/read-price.ts'
import { errorMessages } from './messages.ts'
import { addCspReports } from './platform/http/security/csp-reports.ts'
import { addOpenApi } from './platform/http/docs/docs-routes.ts'
import { sendRefusal } from './platform/http/errors.ts'
import { limitsPerNetwork } from './platform/limits/network.ts'
import { refusalForUnknown } from './platform/http/not-found.ts'
import { proofMails } from './domain/proofs/mail.ts'
import { createProofReader } from './domain/proofs/read-proofs.ts'
import { proofRoutes } from './domain/proofs/routes.ts'
import { createPublicAnswers } from './platform/http/public-answers/public-answers.ts'
import { mount, type Route } from './platform/http/route.ts'
import { createHttpServer, type HttpOptions } from './platform/http/server.ts'
import type { Probe } from './platform/database/probe.ts'
import { consumeAll } from './platform/limits/rate-limiter.ts'
import { findReferrer } from './domain/referrals/find-referrer.ts'
import { createBackground } from './domain/payouts/background.ts'
import { payoutMails } from './domain/payouts/mail.ts'
import { payoutRoutes } from './domain/payouts/routes.ts'
import { referralRoutes } from './domain/referrals/routes.ts'
import { addReviewEvents } from './domain/review/events.ts'
import { reviewRoutes } from './domain/review/routes.ts'
import { authenticate, readCaller } from './domain/sessions/session.ts'
import { sessionRoutes } from './domain/sessions/routes.ts'
import { DRAWINGS } from './site/pictures/invitation-pictures.ts'
import { registerSite } from './site/register-site.ts'
import { slotMails } from './domain/slots/mail.ts'
import { slotRoutes } from './domain/slots/routes.ts'
import { claimMails } from './domain/claims/mail.ts'
import { claimRoutes } from './domain/claims/routes.ts'
import type { TelegramLogin } from './domain/telegram/provider.ts'
import { telegramRoutes } from './domain/telegram/routes.ts'
import { walletRoutes } from './domain/wallets/routes.ts'

/** The emails of all features. */
export const mailTemplates = { ...accountMails, ...claimMails, ...slotMails, ...proofMails, ...payoutMails }

/** The public endpoints that show the state of a topic. */
const SHOWN_IN: Record<Topic, readonly Endpoint['path'][]> = {
  slots: [campaign.path],
  leaderboard: [leaderboard.path],
  proofs: [tokenProofs.path],
  heartbeat: [],
  claims: [],
}

type AppOptions = Pick<Config, 'production' | 'publicUrl' | 'trustProxy' | 'metricsToken' | 'smtpUrl'> &
  Pick<HttpOptions, 'admission'> & {
    /** Pages come from Vite, with hot reload. */
    dev: boolean
    /** Serves the marketing pages and the application shell; API tests leave them out. */
    site: boolean
    /** Milliseconds for which this node caches public answers; 0 turns the cache off. */
    keepPublicFor: number
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
  /** Answers for the campaign's chain only. */
  rpc: Rpc
  /** Calls to the chain with larger and slower replies. */
  scanRpc: Rpc
  isDraining: () => boolean
}

/** Assembles the product: every feature is listed here. */
export async function createApp(options: AppOptions, parts: AppParts): Promise<FastifyInstance> {
  const { deps, pool, probe, events, readPrice, telegramLogin, rpc, scanRpc, isDraining } = parts
  const { publicUrl, production } = options
  const https = publicUrl.startsWith('https:')
  const readHeads = createHeadReader(deps.publicReads)
  const readProofs = createProofReader(deps)
  const publicAnswers = createPublicAnswers({
    keepFor: options.keepPublicFor,
    // Otherwise a replica that lags would bring the answers of before back.
    onExpire: () => deps.publicReads.noteChange(),
  })
  const app = createHttpServer({
    ...options,
    logger: deps.log,
    security: deps.security,
    catalog: errorMessages,
    publicAnswers,
  })
  // A client refetches as soon as an event reaches it, and must not get the answer before.
  events.beforePublishing((topic) => publicAnswers.expire(SHOWN_IN[topic]))
  const background = createBackground(deps)
  app.addHook('onClose', () => background.stop())
  const routes: Route[] = [
    ...accountRoutes(deps),
    ...sessionRoutes(deps),
    ...leaderboardRoutes(deps),
    ...claimRoutes(deps, telegramLogin !== undefined),
    ...telegramRoutes(deps, telegramLogin),
    ...walletRoutes(deps, { publicUrl, rpc }),
    ...slotRoutes(deps),
    ...reviewRoutes(deps),
    ...campaignRoutes(deps),
    ...referralRoutes(deps),
    ...marketRoutes(deps, readPrice),
    ...proofRoutes(readProofs),
    ...journalRoutes(deps),
    ...payoutRoutes(deps, { background, rpc: scanRpc }),
  ]
  addHealth(app, {
    publicAnswers,
    pool,
    publicReads: deps.publicReads,
    probe,
    security: deps.security,
    isDraining,
    metricsToken: options.metricsToken,
  })
  mount(app, routes, {
    db: deps.db,
    keys: deps.keys,
    authenticate: (sent) => authenticate(deps.db, sent),
    https,
    publicAnswers,
  })
  addEvents(app, events)
  addHeads(app, readHeads, publicAnswers)
  addReviewEvents(app, events, { readCaller: (sent) => readCaller(deps.db, sent), https })
  addCspReports(app)
  addOpenApi(app, ENDPOINTS, { name: deps.campaign.name, publicUrl })
  if (!production && !options.smtpUrl) {
    const context = { campaign: deps.campaign, publicUrl, keys: deps.keys }
    addMailbox(app, { db: deps.db, templates: mailTemplates, context })
  }
  app.setNotFoundHandler((request, reply) => {
    const { refusal, allow } = refusalForUnknown(request, routes)
    if (allow !== '') reply.header('allow', allow)
    return sendRefusal(reply, request, refusal, errorMessages)
  })
  if (options.site)
    await registerSite(app, {
      readHeads,
      readProofs,
      publicAnswers,
      ...options,
      campaign: deps.campaign,
      findInviter: (code) => findReferrer(deps.db, code),
      countDrawing: (network) =>
        consumeAll(deps.db, ...limitsPerNetwork(network, 'invitation picture', DRAWINGS)),
    })
  return app
}
