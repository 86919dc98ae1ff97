import cluster from 'node:cluster'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { archiveEarlierCampaigns } from './domain/campaign/archive.ts'
import { loadCampaign } from './domain/campaign/load-campaign.ts'
import { describeOverrides } from './domain/campaign/overrides.ts'
import { syncCampaign } from './domain/campaign/sync-campaign.ts'
import { startBanner } from './banner.ts'
import { type Config, readConfig } from './config.ts'
import { exposureProblems, exposureWarnings } from './exposure.ts'
import { openConfiguredDatabase, type OpenDatabase } from './open-database.ts'
import { KEEPER_POOL } from './platform/database/connections.ts'
import { createLog } from './platform/log/log.ts'
import { exitCodeOf, MISCONFIGURED } from './platform/misconfigured.ts'
import { makeSetupLink } from './domain/setup/links.ts'
import { resolveLook } from './domain/look/resolve-look.ts'
import { prepareFolder } from './domain/backups/backup-folder.ts'
import { readOrMakeSecret } from './platform/secrets.ts'
import type { TerminalLog } from './platform/log/terminal/terminal-log.ts'

/** Milliseconds before a worker is replaced, so that a crash loop does not keep the machine busy. */
const RESTART_DELAY = 1_000
/** Milliseconds until a graceful stop is cut short, then abandoned: operators are promised ten seconds. */
const IMMEDIATE_STOP_AFTER = 9_400
const EXIT_AFTER = 9_900

/** Undefined in production and where the output is not a terminal: the log is then JSON lines. */
let terminal: TerminalLog | undefined

const config = readConfig(process.env)
if ('problems' in config) exitWith(config.problems)
else await start(config)

async function start(settings: Config) {
  const exposed = exposureProblems(settings)
  if (exposed.length > 0) return exitWith(exposed)
  const campaign = await loadCampaign(settings.campaignFile)
  if ('problems' in campaign) return exitWith(campaign.problems)
  terminal = await openTerminal(settings)
  const log = createLog(settings.logLevel, terminal)
  if (cluster.isPrimary) for (const warning of exposureWarnings(settings)) log.warn(warning)
  try {
    if (cluster.isPrimary && settings.backupDir !== undefined)
      await prepareFolder(resolve(settings.backupDir))
    const dev = process.argv.includes('--dev')
    const isAlone = settings.workers === 1 || dev || !cluster.isPrimary
    const starting = isAlone
      ? startServer(settings, campaign, log, dev)
      : startWorkers(settings, campaign, log)
    // A signal during the start waits for the start to finish, so that everything started is stopped too.
    stopOnSignal(starting, log)
    await starting
  } catch (error) {
    terminal?.endProgress()
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(exitCodeOf(error))
  }
}

async function openTerminal({ production }: Config): Promise<TerminalLog | undefined> {
  if (production || !process.stdout.isTTY) return undefined
  // Loaded only here: production does without pino-pretty.
  const { terminalLog } = await import('./platform/log/terminal/terminal-log.ts')
  return terminalLog(process.stdout, { progress: cluster.isPrimary })
}

/** `stop` is graceful; `stopImmediately` only ends what must not outlive this process. */
type Running = { stop(): Promise<void>; stopImmediately(): Promise<void> }

async function startServer(settings: Config, campaign: CampaignFile, log: Logger, dev: boolean) {
  const { database, resolved } = await openDatabase(settings, campaign, log)
  const parts = { config: settings, campaign: resolved, database, log, dev }
  // Loaded only now: a start that is refused, and the primary of several workers, do without it. And not
  // while the database is being opened: loading blocks the event loop for so long that connecting could time
  // out on a busy machine.
  const serving = import('./serve.ts').then(({ serve }) => serve(parts))
  const served = await closeOnFailure(database, serving)
  if (cluster.isPrimary) await announceReady(settings, { port: served.port, database, log })
  else process.send?.({ ready: served.port })
  const stop = async () => {
    await served.drain()
    await database.close()
  }
  return { stop, stopImmediately: database.stopImmediately }
}

/** WORKERS > 1: the primary process holds the database and replaces workers that die. */
async function startWorkers(settings: Config, campaign: CampaignFile, log: Logger): Promise<Running> {
  // Workers accept connections themselves: one that the primary handed to a killed worker would hang until
  // its client times out.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const { database } = await openDatabase(settings, campaign, log, KEEPER_POOL)
  const appSecret = settings.appSecret ?? (await closeOnFailure(database, readOrMakeSecret(settings.dataDir)))
  const env = {
    DATABASE_URL: database.url,
    DATABASE_CONNECTIONS: String(settings.databaseConnections),
    APP_SECRET: appSecret,
  }
  let stopping = false
  let unready = settings.workers
  cluster.on('message', (_worker, message: { ready?: number }) => {
    if (message.ready !== undefined && --unready === 0)
      void announceReady(settings, { port: message.ready, database, log })
  })
  cluster.on('exit', (worker, code) => {
    if (stopping) return
    // A worker that dies before it is ready has printed why; a replacement would fail in the same way.
    if (unready > 0) {
      stopping = true
      void database.close().finally(() => process.exit(code || 1))
      return
    }
    log.error({ worker: worker.process.pid, code }, 'a worker ended; starting another')
    setTimeout(() => stopping || cluster.fork(env), RESTART_DELAY)
  })
  for (let count = 0; count < settings.workers; count += 1) cluster.fork(env)
  const stop = async () => {
    stopping = true
    const workers = Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? [])
    await Promise.all(
      workers.map(
        (worker) => new Promise((ended) => worker.once('exit', ended) && worker.process.kill('SIGTERM')),
      ),
    )
    await database.close()
  }
  return { stop, stopImmediately: database.stopImmediately }
}

async function openDatabase(
  settings: Config,
  campaign: CampaignFile,
  log: Logger,
  poolSize = settings.poolSize,
): Promise<{ database: OpenDatabase; resolved: CampaignFile }> {
  if (cluster.isPrimary) terminal?.show('Starting the database')
  const lines = { info: (line: string) => log.info(line), warn: (line: string) => log.warn(line) }
  const database = await openConfiguredDatabase(settings, lines, {
    poolSize,
    isFirst: cluster.isPrimary,
  })
  const prepare = async () => {
    const resolved = await resolveLook(database.db, campaign, settings.campaignFile)
    await archiveEarlierCampaigns(database.db, resolved)
    await syncCampaign(database.db, resolved)
    if (cluster.isPrimary) for (const line of await describeOverrides(database.db, resolved)) log.warn(line)
    return { database, resolved }
  }
  return closeOnFailure(database, prepare())
}

/** Closes the database when a step of the start fails. */
function closeOnFailure<T>(database: OpenDatabase, step: Promise<T>): Promise<T> {
  return step.catch(async (error: unknown) => {
    await database.close()
    throw error
  })
}

type Announced = { port: number; database: OpenDatabase; log: Logger }

async function announceReady(settings: Config, { port, database, log }: Announced) {
  const url = process.env['PUBLIC_URL'] ? settings.publicUrl : `http://localhost:${port}`
  // The site is served without it, too.
  const setupToken = await makeSetupLink(database.db).catch((error: unknown) => {
    log.error({ err: error }, 'the setup link could not be made')
    return undefined
  })
  terminal?.endProgress()
  const isTerminal = process.stdout.isTTY
  for (const line of startBanner(settings, { url, isTerminal, setupToken })) console.log(line)
}

/** Stops once: on a signal, after an uncaught exception, or when the parent process is gone. */
function stopOnSignal(starting: Promise<Running>, log: Logger) {
  let stopping = false
  const shutDown = (code: number) => {
    if (stopping) return
    stopping = true
    const end = (method: 'stop' | 'stopImmediately') =>
      starting
        .then((running) => running[method]())
        .catch((error: unknown) => log.error({ err: error }, 'stopping failed'))
        .finally(() => process.exit(code))
    setTimeout(() => {
      void end('stopImmediately')
      // Not from the beginning: where both are late, as on a busy machine, PostgreSQL would outlive this process.
      setTimeout(() => process.exit(code), EXIT_AFTER - IMMEDIATE_STOP_AFTER).unref()
    }, IMMEDIATE_STOP_AFTER).unref()
    void end('stop')
  }
  // SIGHUP, when the terminal is closed, would otherwise leave the embedded PostgreSQL running alone.
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
