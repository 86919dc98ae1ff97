import cluster from 'node:cluster'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { archiveEarlierCampaigns } from './domain/campaign/archive.ts'
import { loadCampaign } from './domain/campaign/load-campaign.ts'
import { describeOverrides } from './domain/campaign/settings/overrides.ts'
import { syncCampaign } from './domain/campaign/sync-campaign.ts'
import { startBanner } from './banner.ts'
import { type Config, readConfig } from './config/config.ts'
import { exposureProblems, exposureWarnings } from './config/exposure.ts'
import { openConfiguredDatabase, type OpenDatabase } from './open-database.ts'
import { MAIN_PROCESS_POOL } from './platform/database/connections.ts'
import { createLog } from './platform/log/log.ts'
import { exitCodeOf, MISCONFIGURED } from './platform/misconfigured.ts'
import { makeSetupLink } from './domain/setup/links.ts'
import { resolveLook } from './domain/look/resolve-look.ts'
import { readOrMakeSecret } from './platform/secrets.ts'
import type { TerminalLog } from './platform/log/terminal/terminal-log.ts'

/** The pause before a dead worker is replaced, so that a crash loop does not keep the machine busy. */
const RESTART_DELAY_MS = 1_000
/** How long a graceful stop may take before it is cut short. */
const IMMEDIATE_STOP_AFTER_MS = 9_400
/** How long after a signal the process ends, whatever still runs. Operators are promised ten seconds. */
const EXIT_AFTER_MS = 9_900

/** Undefined in production and where the output is not a terminal: the log is then JSON lines. */
let terminal: TerminalLog | undefined

const configOrProblems = readConfig(process.env)
if ('problems' in configOrProblems) exitWith(configOrProblems.problems)
else await start(configOrProblems)

async function start(config: Config) {
  // Without a mail server, this machine shows all emails, and must not show them to others.
  const exposed = exposureProblems(config)
  if (exposed.length > 0) return exitWith(exposed)
  const campaign = await loadCampaign(config.campaignFile)
  if ('problems' in campaign) return exitWith(campaign.problems)
  terminal = await openTerminal(config)
  const log = createLog(config.logLevel, terminal)
  if (cluster.isPrimary) for (const warning of exposureWarnings(config)) log.warn(warning)
  try {
    if (cluster.isPrimary && config.backupDir !== undefined) {
      const { prepareFolder } = await import('./domain/backups/scheduled-backup.ts')
      await prepareFolder(resolve(config.backupDir))
    }
    const isDev = process.argv.includes('--dev')
    const servesItself = config.workers === 1 || isDev || !cluster.isPrimary
    const starting = servesItself
      ? startServer(config, campaign, log, isDev)
      : startWorkers(config, campaign, log)
    // A signal during the start waits for the start to finish, so that everything started is stopped too.
    stopOnSignal(starting, log)
    await starting
  } catch (error) {
    terminal?.endProgress()
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(exitCodeOf(error))
  }
}

async function openTerminal({ isProduction }: Config): Promise<TerminalLog | undefined> {
  if (isProduction || !process.stdout.isTTY) return undefined
  // Imported here because production does not need pino-pretty.
  const { terminalLog } = await import('./platform/log/terminal/terminal-log.ts')
  return terminalLog(process.stdout, { showsProgress: cluster.isPrimary })
}

/** `stop` is graceful; `stopImmediately` only ends what must not outlive this process. */
type Running = { stop(): Promise<void>; stopImmediately(): Promise<void> }

async function startServer(config: Config, campaign: CampaignFile, log: Logger, isDev: boolean) {
  const { database, resolvedCampaign } = await openDatabaseFor(config, campaign, log)
  const parts = { config, campaign: resolvedCampaign, database, log, isDev }
  // Imported here because a refused start and the main process of several workers do not need it. During the
  // opening of the database, the import could block the event loop until the connection times out.
  const serving = import('./serve.ts').then(({ serve }) => serve(parts))
  const served = await closeOnFailure(database, serving)
  if (cluster.isPrimary) await announceReady(config, { port: served.port, database, log })
  else process.send?.({ readyOnPort: served.port })
  const stop = async () => {
    await served.drain()
    await database.close()
  }
  return { stop, stopImmediately: database.stopImmediately }
}

/** WORKERS > 1: the main process holds the database and replaces workers that die. */
async function startWorkers(config: Config, campaign: CampaignFile, log: Logger): Promise<Running> {
  // Workers accept connections themselves. If the main process accepted them, a connection that it hands to a
  // killed worker would hang until its client times out.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const { database } = await openDatabaseFor(config, campaign, log, MAIN_PROCESS_POOL)
  const appSecret = config.appSecret ?? (await closeOnFailure(database, readOrMakeSecret(config.dataDir)))
  const env = {
    DATABASE_URL: database.url,
    DATABASE_CONNECTIONS: String(config.databaseConnections),
    APP_SECRET: appSecret,
  }
  let isStopping = false
  let unreadyCount = config.workers
  cluster.on('message', (_worker, { readyOnPort }: { readyOnPort?: number }) => {
    if (readyOnPort === undefined) return
    unreadyCount -= 1
    if (unreadyCount === 0) void announceReady(config, { port: readyOnPort, database, log })
  })
  cluster.on('exit', (worker, code) => {
    if (isStopping) return
    // A worker that dies before it is ready has printed why; a replacement would fail in the same way.
    if (unreadyCount > 0) {
      isStopping = true
      void database.close().finally(() => process.exit(code || 1))
      return
    }
    log.error({ worker: worker.process.pid, code }, 'a worker ended; starting another')
    setTimeout(() => {
      if (!isStopping) cluster.fork(env)
    }, RESTART_DELAY_MS)
  })
  for (let count = 0; count < config.workers; count += 1) cluster.fork(env)
  const stop = async () => {
    isStopping = true
    const workers = Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? [])
    const ended = workers.map((worker) => once(worker, 'exit'))
    for (const worker of workers) worker.process.kill('SIGTERM')
    await Promise.all(ended)
    await database.close()
  }
  return { stop, stopImmediately: database.stopImmediately }
}

/** Opens the database, resolves the campaign's look, and records the campaign. */
async function openDatabaseFor(
  config: Config,
  campaign: CampaignFile,
  log: Logger,
  poolSize = config.poolSize,
): Promise<{ database: OpenDatabase; resolvedCampaign: CampaignFile }> {
  if (cluster.isPrimary) terminal?.show('Starting the database')
  const lineLog = { info: (line: string) => log.info(line), warn: (line: string) => log.warn(line) }
  const database = await openConfiguredDatabase(config, lineLog, {
    poolSize,
    warnsOfLimits: cluster.isPrimary,
  })
  const recordCampaign = async () => {
    const { db } = database
    const resolvedCampaign = await resolveLook(db, campaign, config.campaignFile)
    await archiveEarlierCampaigns(db, resolvedCampaign)
    await syncCampaign(db, resolvedCampaign)
    if (cluster.isPrimary) for (const line of await describeOverrides(db, resolvedCampaign)) log.warn(line)
    return { database, resolvedCampaign }
  }
  return closeOnFailure(database, recordCampaign())
}

function closeOnFailure<T>(database: OpenDatabase, step: Promise<T>): Promise<T> {
  return step.catch(async (error: unknown) => {
    await database.close()
    throw error
  })
}

type ReadyServer = { port: number; database: OpenDatabase; log: Logger }

async function announceReady(config: Config, { port, database, log }: ReadyServer) {
  const url = process.env['PUBLIC_URL'] ? config.publicUrl : `http://localhost:${port}`
  // The site is served even if this fails.
  const setupToken = await makeSetupLink(database.db).catch((error: unknown) => {
    log.error({ err: error }, 'the setup link could not be made')
    return undefined
  })
  terminal?.endProgress()
  const isTerminal = process.stdout.isTTY
  for (const line of startBanner(config, { url, isTerminal, setupToken })) console.log(line)
}

/** Stops once: on a signal, after an uncaught exception, or when the parent process is gone. */
function stopOnSignal(starting: Promise<Running>, log: Logger) {
  let isStopping = false
  const shutDown = (code: number) => {
    if (isStopping) return
    isStopping = true
    const end = (method: 'stop' | 'stopImmediately') =>
      starting
        .then((running) => running[method]())
        .catch((error: unknown) => log.error({ err: error }, 'stopping failed'))
        .finally(() => process.exit(code))
    setTimeout(() => {
      void end('stopImmediately')
      // Begins when the first timer fires: on a busy machine, both are late, and the process must not end
      // before PostgreSQL has been told to stop.
      setTimeout(() => process.exit(code), EXIT_AFTER_MS - IMMEDIATE_STOP_AFTER_MS).unref()
    }, IMMEDIATE_STOP_AFTER_MS).unref()
    void end('stop')
  }
  // Closing the terminal sends SIGHUP. Unhandled, it would leave the embedded PostgreSQL running.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => shutDown(0))
  process.on('disconnect', () => shutDown(0))
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected error')
    shutDown(1)
  })
}

function exitWith(problems: readonly string[]) {
  for (const problem of problems) console.error(problem)
  process.exit(MISCONFIGURED)
}
