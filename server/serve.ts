import { Resolver } from 'node:dns/promises'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { checkToken } from '#contract/token-proofs/check-token.ts'
import type { Rpc } from '#contract/token-proofs/rpc.ts'
import { subjectOf } from '#contract/token-proofs/subject.ts'
import { ROUTES } from '#web/routes.ts'
import { createApp, mailTemplates } from './app.ts'
import { createBlockReader } from './domain/chain/heartbeat.ts'
import { createChainRpc, createRpc } from './domain/chain/rpc.ts'
import { backupPlan, type Config } from './config/config.ts'
import type { Deps } from './deps.ts'
import { createDeploymentChecks, type DeploymentChecks } from './doctor/deployment-checks.ts'
import { TEST_MAIL } from './doctor/mail.ts'
import { createEventHub } from './domain/events/hub.ts'
import { createEventSources } from './domain/events/sources.ts'
import { createLiveCampaign, perCampaign } from './domain/campaign/live-campaign.ts'
import { compactHeapWhenIdle } from './platform/compact-heap.ts'
import { createVisitCounter } from './domain/insights/visits/counter.ts'
import { createSources } from './domain/evidence/sources.ts'
import type { WatchedDeployment } from './domain/alerts/conditions.ts'
import { mailboxTransport, type Transport } from './domain/mail/transport.ts'
import { mailContext, render } from './domain/mail/templates.ts'
import { createPriceClient } from './domain/market/client.ts'
import { createPoolPriceClient } from './domain/market/pool-price.ts'
import { createPriceReader } from './domain/market/read-price.ts'
import type { AskChain } from './domain/token-proofs/run-token-check.ts'
import { createScanRpc } from './domain/payouts/reconcile/transfers.ts'
import { backupSource, type OpenDatabase } from './open-database.ts'
import { freeBytesOf } from './platform/database/data-dir.ts'
import { MAX_STALENESS_MS } from './platform/database/public-reads.ts'
import { createHttpClient, type HttpClient } from './platform/outbound/http-client.ts'
import { createPublicPost } from './platform/outbound/public-post.ts'
import { createPasswordHasher } from './platform/passwords/password-hash.ts'
import { runSchedule } from './platform/jobs/run-schedule.ts'
import { deriveKeys, readOrMakeSecret } from './platform/secrets.ts'
import { createSecurityEvents } from './platform/log/security-events.ts'
import { schedule } from './schedule.ts'
import { createTelegramLogin, type TelegramLogin } from './domain/telegram/provider.ts'

type Parts = {
  config: Config
  campaign: CampaignFile
  database: OpenDatabase
  log: FastifyBaseLogger
  isDev: boolean
}

const DNS_TIMEOUT_MS = 2_000
/** The longest time from a commit until every public answer of this node shows it. */
const MAX_PUBLIC_AGE_MS = 1_000

/** Wires everything up, listens, and starts the recurring work. */
export async function serve({ config, campaign: file, database, log, isDev }: Parts) {
  const { pool, sessionPool, probe, db } = database
  let isDraining = false
  // Replaced once the schedule runs, which needs `deps`. Nothing is lost: the schedule begins with every job.
  let runSoon = (_jobName: string) => {}
  const deps = await depsOf(config, file, database, { log, runSoon: (jobName) => runSoon(jobName) })
  const clients = clientsOf(config, file, deps)
  const { outbound, chainRpc } = clients
  const visits = createVisitCounter()
  const transport = await transportOf(config)
  const app = await createApp(
    {
      ...config,
      isDev,
      hasSite: true,
      keepPublicForMs: MAX_PUBLIC_AGE_MS - (config.databaseReplicaUrl ? MAX_STALENESS_MS : 0),
    },
    {
      deps,
      pool,
      probe,
      events: createEventHub(
        createEventSources({ deps, pool: sessionPool, readBlock: createBlockReader(chainRpc) }),
      ),
      readPrice: clients.readPrice,
      telegramLogin: telegramLoginOf(config, outbound),
      rpc: chainRpc,
      scanRpc: createScanRpc(config.chainRpcUrl),
      visits,
      mail: {
        takesEmails: () => transport.takesEmails(),
        resolver: new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 }),
        from: config.mailFrom,
        selector: config.dkimSelector,
        smtpUrl: config.smtpUrl,
      },
      isDraining: () => isDraining,
      deploymentChecks: checksOf(config, deps, pool, outbound),
    },
  )
  const port = await listen(app, config)
  const sources = perCampaign(deps, (campaign) => createSources(outbound, config, campaign))
  const work = runSchedule(
    schedule(deps, deliveryOf(config, deps, transport), sources, {
      post: createPublicPost({ allowLoopback: !config.isProduction }),
      askChain: perCampaign(deps, (campaign) => askChainOf(campaign, clients.anyChainRpc)),
      watched: watchedBy(config),
      backUp: scheduledBackup(config, database, log),
      // A request waits to be admitted, then perhaps for a database connection.
      isBusy: () => app.hasWaitingRequests() || pool.waitingCount > 0,
      saveVisits: () => visits.flush(db),
    }),
    (name, error) => log.error({ err: error }, `${name} failed`),
  )
  runSoon = work.runSoon
  const stopWaitingForIdle = compactHeapWhenIdle()
  return {
    /** The port that was bound: for PORT=0, the system has chosen it. */
    port,
    /** Reports at once that it is not ready, serves for DRAIN_SECONDS more, finishes its work and closes. */
    async drain() {
      isDraining = true
      stopWaitingForIdle()
      await pause(config.drainSeconds * 1_000)
      await Promise.all([app.close(), work.stop()])
      await visits.flush(db).catch((error: unknown) => log.error({ err: error }, 'visits were lost'))
      transport.close()
    },
  }
}

async function depsOf(
  config: Config,
  file: CampaignFile,
  { db, publicReads }: OpenDatabase,
  { log, runSoon }: Pick<Deps, 'log' | 'runSoon'>,
): Promise<Deps> {
  const liveCampaign = createLiveCampaign(db, file)
  await liveCampaign.refresh()
  const keys = deriveKeys(config.appSecret ?? (await readOrMakeSecret(config.dataDir)))
  return {
    db,
    publicReads,
    keys,
    hasher: createPasswordHasher(),
    get campaign() {
      return liveCampaign.campaign
    },
    liveCampaign,
    log,
    security: createSecurityEvents({ log, keys }),
    runSoon,
  }
}

/** Clients of third parties at configured addresses. `chainRpc` fails if the node is on another chain. */
function clientsOf(config: Config, file: CampaignFile, deps: Deps) {
  const { priceApiUrl, chainRpcUrl, oembedUrl, telegramApiUrl, telegramIssuerUrl } = config
  const issuer = new URL(telegramIssuerUrl).origin
  const outbound = createHttpClient({ allow: [priceApiUrl, chainRpcUrl, oembedUrl, telegramApiUrl, issuer] })
  const anyChainRpc = createRpc(outbound, chainRpcUrl)
  const { db, log } = deps
  // Made again after a setting of the campaign has changed.
  const currentPriceReader = perCampaign(deps, (campaign) =>
    createPriceReader(
      { db, log, campaign },
      createPriceClient(outbound, priceApiUrl, campaign),
      createPoolPriceClient(anyChainRpc, campaign),
    ),
  )
  return {
    outbound,
    anyChainRpc,
    chainRpc: createChainRpc(outbound, chainRpcUrl, file.chain.id),
    readPrice: () => {
      const read = currentPriceReader()
      return read()
    },
  }
}

/** Imports Nodemailer only if there is a mail server: it takes a twentieth of a node's memory. */
async function transportOf({ smtpUrl }: Config): Promise<Transport> {
  if (!smtpUrl) return mailboxTransport
  const { smtpTransport } = await import('./domain/mail/smtp.ts')
  return smtpTransport(smtpUrl)
}

function telegramLoginOf(config: Config, outbound: HttpClient): TelegramLogin | undefined {
  const { telegramIssuerUrl: issuer, telegramClientId: clientId, telegramClientSecret: clientSecret } = config
  if (!clientId || !clientSecret) return undefined
  const redirectUri = `${config.publicUrl}${ROUTES.profile.path}`
  return createTelegramLogin(outbound, { issuer, clientId, clientSecret, redirectUri })
}

function checksOf(config: Config, deps: Deps, pool: Pool, http: HttpClient): DeploymentChecks {
  const { publicUrl, priceApiUrl } = config
  return createDeploymentChecks({
    config,
    db: deps.db,
    pool,
    campaign: () => deps.campaign,
    http,
    fetchPrice: (campaign) => createPriceClient(http, priceApiUrl, campaign),
    testMail: (username) => {
      const context = { campaign: deps.campaign, publicUrl, keys: deps.keys }
      return render({ template: TEST_MAIL, to: '', values: { username } }, mailTemplates, context)
    },
  })
}

/** A taken port is tried again for five seconds, because a previous process may be about to free it. */
const LISTEN_RETRIES = 20
const RETRY_DELAY_MS = 250

async function listen(app: FastifyInstance, { host, port }: Config): Promise<number> {
  for (let retriesLeft = LISTEN_RETRIES; ; retriesLeft -= 1) {
    try {
      await app.listen({ host, port })
      const address = app.server.address()
      return typeof address === 'object' && address ? address.port : port
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      if (retriesLeft === 0)
        throw new Error(`Port ${port} is taken: stop what uses it, or set PORT to another one.`, {
          cause: error,
        })
    }
    await pause(RETRY_DELAY_MS)
  }
}

function deliveryOf(config: Config, deps: Deps, transport: Transport) {
  const { db, log, security } = deps
  return {
    db,
    log,
    security,
    transport,
    templates: mailTemplates,
    context: mailContext(deps, config.publicUrl),
    from: config.mailFrom,
  }
}

function askChainOf(campaign: CampaignFile, rpc: Rpc): AskChain | undefined {
  return campaign.token.placeholder ? undefined : () => checkToken(rpc, subjectOf(campaign))
}

function watchedBy(config: Config): WatchedDeployment {
  const plan = backupPlan(config)
  const backups = plan && { folder: plan.folder, everyHours: plan.everyHours }
  return {
    dataDir: config.dataDir,
    backups,
    machine: hostname(),
    freeBytes: freeBytesOf,
    uptimeSeconds: process.uptime,
  }
}

function scheduledBackup(config: Config, { db, url }: OpenDatabase, log: FastifyBaseLogger) {
  const plan = backupPlan(config)
  if (!plan) return undefined
  return async (stop: AbortSignal) => {
    // Imported here because a node without BACKUP_DIR does not need it.
    const { backUpIfDue } = await import('./domain/backups/scheduled-backup.ts')
    const source = backupSource(config, config.databaseDirectUrl ?? url)
    const written = await backUpIfDue(db, source, plan, stop)
    if (!written) return
    log.info({ event: 'backup', bytes: written.bytes, rows: written.rows }, 'backed up')
    for (const line of written.campaign.missing) log.warn(`Not in the backup: ${line}`)
  }
}
