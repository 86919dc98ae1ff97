import cluster from 'node:cluster'
import type { Logger } from 'pino'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { loadCampaign } from './campaign/load-campaign.ts'
import { syncCampaign } from './campaign/sync-campaign.ts'
import { type Config, readConfig } from './config.ts'
import { exposureProblems, exposureWarnings } from './exposure.ts'
import { openConfiguredDatabase, type OpenDatabase } from './open-database.ts'
import { KEEPER_POOL } from './platform/connections.ts'
import { createLog } from './platform/log.ts'
import { exitCodeOf, MISCONFIGURED } from './platform/misconfigured.ts'
import { readOrMakeSecret } from './platform/secrets.ts'
import { serve } from './serve.ts'

/** Milliseconds; a worker that dies at once must not keep the machine busy. */
const RESTART_DELAY = 1_000
/** Milliseconds after which a stop that hangs is cut, and given up: ten seconds are promised. */
const CUT_AFTER = 9_400
const GIVE_UP_AFTER = 9_900

const config = readConfig(process.env)
if ('problems' in config) exitWith(config.problems)
else await start(config)

async function start(settings: Config) {
  const exposed = exposureProblems(settings)
  if (exposed.length > 0) return exitWith(exposed)
  const campaign = await loadCampaign(settings.campaignFile)
  if ('problems' in campaign) return exitWith(campaign.problems)
  const log = createLog(settings.logLevel)
  if (cluster.isPrimary) for (const warning of exposureWarnings(settings)) log.warn(warning)
  try {
    const dev = process.argv.includes('--dev')
    const isAlone = settings.workers === 1 || dev || !cluster.isPrimary
    const starting = isAlone
      ? startServer(settings, campaign, log, dev)
      : startWorkers(settings, campaign, log)
    // A signal in the middle of a start waits for its end: what was started by then must be stopped too.
    onceStopped(starting, log)
    await starting
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(exitCodeOf(error))
  }
}

type Log = Logger
/** `stop` finishes what runs; `cut` only ends what must not outlive this process. */
type Running = { stop(): Promise<void>; cut(): Promise<void> }

async function startServer(
  settings: Config,
  campaign: CampaignFile,
  log: Log,
  dev: boolean,
): Promise<Running> {
  const database = await openDatabase(settings, campaign, log)
  const served = await orClose(database, serve({ config: settings, campaign, database, log, dev }))
  if (cluster.isPrimary) announceReady(settings, served.port)
  else process.send?.({ ready: served.port })
  const stop = async () => {
    await served.drain()
    await database.close()
  }
  return { stop, cut: database.cut }
}

/** WORKERS > 1: this process keeps the database and starts the others again when one dies. */
async function startWorkers(settings: Config, campaign: CampaignFile, log: Log): Promise<Running> {
  // Workers accept for themselves: a connection that the primary had handed to a worker that is killed would
  // hang until its client gives up.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const database = await openDatabase(settings, campaign, log, KEEPER_POOL)
  const appSecret = settings.appSecret ?? (await readOrMakeSecret(settings.dataDir))
  const env = {
    DATABASE_URL: database.url,
    DATABASE_CONNECTIONS: String(settings.databaseConnections),
    APP_SECRET: appSecret,
  }
  let stopping = false
  let waiting = settings.workers
  cluster.on('message', (_worker, message: { ready?: number }) => {
    if (message.ready !== undefined && --waiting === 0) announceReady(settings, message.ready)
  })
  cluster.on('exit', (worker, code) => {
    if (stopping) return
    // What never became ready has said why; the next one would say the same.
    if (waiting > 0) {
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
  return { stop, cut: database.cut }
}

async function openDatabase(
  settings: Config,
  campaign: CampaignFile,
  log: Log,
  poolSize = settings.poolSize,
): Promise<OpenDatabase> {
  const lines = { info: (line: string) => log.info(line), warn: (line: string) => log.warn(line) }
  const database = await openConfiguredDatabase(settings, lines, { poolSize, compare: cluster.isPrimary })
  await orClose(database, syncCampaign(database.db, campaign))
  return database
}

/** A start that fails does not leave its database running. */
function orClose<T>(database: OpenDatabase, step: Promise<T>): Promise<T> {
  return step.catch(async (error: unknown) => {
    await database.close()
    throw error
  })
}

function announceReady({ publicUrl, production, smtpUrl }: Config, port: number) {
  const url = process.env['PUBLIC_URL'] ? publicUrl : `http://localhost:${port}`
  console.log(`Dropwright is ready: ${url}`)
  if (!production && !smtpUrl) console.log(`Mails are shown at ${url}/dev/mailbox`)
}

/** Stops once, on a signal or when the process that started this one is gone. */
function onceStopped(starting: Promise<Running>, log: Log) {
  let stopping = false
  const leave = (code: number) => {
    if (stopping) return
    stopping = true
    const end = (how: 'stop' | 'cut') =>
      starting
        .then((running) => running[how]())
        .catch((error: unknown) => log.error({ err: error }, 'stopping failed'))
        .finally(() => process.exit(code))
    setTimeout(() => void end('cut'), CUT_AFTER).unref()
    setTimeout(() => process.exit(code), GIVE_UP_AFTER).unref()
    void end('stop')
  }
  process.on('SIGTERM', () => leave(0))
  process.on('SIGINT', () => leave(0))
  process.on('disconnect', () => leave(0))
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a promise failed and nobody minded'))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected error')
    leave(1)
  })
}

function exitWith(problems: readonly string[]) {
  for (const problem of problems) console.error(problem)
  process.exit(MISCONFIGURED)
}
