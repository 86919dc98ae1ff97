import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { type CommandConfig, type Config, backupRetention } from './config/config.ts'
import { finishRestores } from './domain/backups/secret-file.ts'
import { campaignPath } from './domain/campaign/load-campaign.ts'
import { explainDatabaseError } from './database-error.ts'
import { warnOfLimits } from './database-limits.ts'
import { COMMAND_POOL, SESSION_POOL } from './platform/database/connections.ts'
import { type Database, openDatabase, openPool } from './platform/database/database.ts'
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
  startEmbeddedPostgres,
} from './platform/database/embedded-postgres.ts'
import { migrate } from './platform/database/migrate.ts'
import { createProbe, type Probe } from './platform/database/probe.ts'
import { createPublicReads, type PublicReads } from './platform/database/public-reads.ts'

export type OpenDatabase = {
  pool: pg.Pool
  /** For what needs a session, such as LISTEN: bypasses a transaction pooler. */
  sessionPool: pg.Pool
  /** Uses a connection of its own, so that it works while the pool is busy. */
  probe: Probe
  db: Database
  publicReads: PublicReads
  url: string
  close(): Promise<void>
  /** Ends an embedded database at once, whatever still runs in it. */
  stopImmediately(): Promise<void>
}

/** An external PostgreSQL keeps running on `stop` and `stopImmediately`. */
type DatabaseServer = EmbeddedPostgres

type Log = { info: (line: string) => void; warn: (line: string) => void }

type OpenOptions = {
  poolSize?: number
  /** Whether to warn of limits of the database or its pooler. Workers leave that to the main process. */
  warnsOfLimits?: boolean
}

/** Opens and migrates the database. @throws an error with advice; Misconfigured if no restart can help. */
export async function openConfiguredDatabase(
  config: Config,
  log: Log,
  { poolSize = config.poolSize, warnsOfLimits = true }: OpenOptions = {},
): Promise<OpenDatabase> {
  const { databaseConnections } = config
  const server =
    externalServer(config) ??
    (await startEmbeddedPostgres({ ...embeddedOptions(config, log), connections: databaseConnections }))
  const database = await openAndMigrate(server, config, log, {
    max: poolSize,
    replicaUrl: config.databaseReplicaUrl,
    onUpgrade: upgradeBackup(server, config, log),
  })
  try {
    if (config.databaseUrl && warnsOfLimits) await warnOfLimits(database.pool, config, log)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

const UPGRADED_BY_COMMAND =
  'Upgrading the database to this version: earlier versions can no longer start on it. Restart every node that still runs one.'

/** Like {@link openConfiguredDatabase}, but for commands: works while the server runs, too. */
export async function openDatabaseForCommand(config: CommandConfig): Promise<OpenDatabase> {
  const log: Log = { info: () => {}, warn: console.error }
  const server = externalServer(config) ?? (await openEmbeddedPostgres(embeddedOptions(config, log)))
  const backUp = upgradeBackup(server, config, { info: console.error, warn: console.error })
  const onUpgrade = async () => {
    await backUp?.()
    console.error(UPGRADED_BY_COMMAND)
  }
  return openAndMigrate(server, config, log, { max: COMMAND_POOL, onUpgrade })
}

function externalServer({ databaseUrl: url, databaseOwnerUrl }: CommandConfig): DatabaseServer | undefined {
  if (!url) return undefined
  return { url, ownerUrl: databaseOwnerUrl ?? url, stop: async () => {}, stopImmediately: async () => {} }
}

const embeddedOptions = ({ dataDir }: CommandConfig, { info }: Log) => ({
  dataDir: resolve(dataDir),
  log: info,
})

/** With BACKUP_DIR, a function that backs up before an upgrade. The previous version can restore the file. */
function upgradeBackup(server: DatabaseServer, config: CommandConfig, log: Log) {
  const retention = backupRetention(config)
  if (!retention) return undefined
  return async () => {
    const { backUpBeforeUpgrade } = await import('./domain/backups/scheduled-backup.ts')
    const source = backupSource(config, server.ownerUrl)
    const { file, campaign } = await backUpBeforeUpgrade(source, retention, (line) => log.warn(line))
    log.info(`Backed up before the upgrade: ${file}`)
    for (const line of campaign.missing) log.warn(`Not in the backup: ${line}`)
  }
}

/** Where the contents of a backup come from. @param url of the database itself, not of a pooler. */
export const backupSource = ({ dataDir, appSecret, campaignFile }: CommandConfig, url: string) => ({
  url,
  dataDir,
  appSecret,
  campaignFile: campaignPath(campaignFile),
})

/** How long a replica may take before the primary answers instead. */
const REPLICA_TIMEOUT_MS = 1_000

type PoolOptions = {
  max: number
  replicaUrl?: string | undefined
  /** Runs before migrations change a database that holds data. */
  onUpgrade?: (() => Promise<void>) | undefined
}

async function openAndMigrate(
  server: DatabaseServer,
  config: CommandConfig,
  log: Log,
  { max, replicaUrl, onUpgrade }: PoolOptions,
): Promise<OpenDatabase> {
  const warn = (error: Error) => log.warn(`A database connection broke: ${error.message}`)
  const pool = openPool(server.url, { onError: warn, max })
  const { databaseDirectUrl: directUrl } = config
  const sessionPool = directUrl ? openPool(directUrl, { onError: warn, max: SESSION_POOL }) : pool
  const replicaPool = replicaUrl
    ? openPool(replicaUrl, { onError: warn, max, timeoutMs: REPLICA_TIMEOUT_MS })
    : undefined
  const probe = createProbe(server.url)
  const close = async () => {
    const pools = new Set([pool, sessionPool, ...(replicaPool ? [replicaPool] : [])])
    await Promise.all([...Array.from(pools, (opened) => opened.end()), probe.close()])
    await server.stop()
  }
  const db = openDatabase(pool)
  try {
    await migrateAsOwner({ pool, sessionPool, onUpgrade }, server, config, log)
    await finishRestores(db, config.dataDir)
  } catch (error) {
    await close()
    throw error
  }
  const onError = (error: unknown) => log.warn(`The replica will not be used for a while: ${String(error)}`)
  const publicReads = createPublicReads(db, replicaPool && { db: openDatabase(replicaPool), onError })
  const { url, stopImmediately } = server
  return { pool, sessionPool, probe, db, publicReads, url, close, stopImmediately }
}

/** Migrates as the role that owns the tables. If another role serves, grants that role its rights. */
async function migrateAsOwner(
  { pool, sessionPool, onUpgrade }: Pick<OpenDatabase & PoolOptions, 'pool' | 'sessionPool' | 'onUpgrade'>,
  server: DatabaseServer,
  config: CommandConfig,
  log: Log,
): Promise<void> {
  const { url, ownerUrl } = server
  const isEmbedded = !config.databaseUrl
  const explainFailure = <T>(variable: string, usedUrl: string, step: Promise<T>): Promise<T> =>
    step.catch((error: unknown) => {
      throw explainDatabaseError(error, isEmbedded ? undefined : { variable, url: usedUrl })
    })
  const sessionUrl = config.databaseDirectUrl ?? url
  if (ownerUrl === sessionUrl) {
    const variable = sessionUrl === url ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
    // The owner itself serves, so no role needs grants.
    await explainFailure(variable, sessionUrl, migrate(sessionPool, log.info, undefined, { onUpgrade }))
    return
  }
  const roleQuery = pool.query<{ role: string }>('select current_user as role')
  const role = (await explainFailure('DATABASE_URL', url, roleQuery)).rows[0]?.role
  const owner = openPool(ownerUrl, { max: 1 })
  const migrating = migrate(owner, log.info, role, { onUpgrade }).finally(() => owner.end())
  const mutableTables = await explainFailure('DATABASE_OWNER_URL', ownerUrl, migrating)
  if (mutableTables.length === 0) return
  log.warn(
    `${mutableTables.join(', ')}: these tables must be append-only, but the role ${role} owns them or belongs to a role that can change them.`,
  )
}

/**
 * Opens the server of the configured database without migrating it, for backups and restores.
 * @param isExclusive keeps others from using an embedded database meanwhile, and creates it if it is missing.
 * @returns its URLs, which bypass any pooler; undefined if the embedded database does not exist.
 * @throws like {@link openConfiguredDatabase}.
 */
export async function openServer(config: CommandConfig, { isExclusive }: { isExclusive: boolean }) {
  const { databaseUrl, databaseDirectUrl, databaseOwnerUrl } = config
  if (databaseUrl) {
    const url = databaseDirectUrl ?? databaseUrl
    const ownerUrl = databaseOwnerUrl ?? url
    await assertReachable({ variable: databaseDirectUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL', url })
    if (ownerUrl !== url) await assertReachable({ variable: 'DATABASE_OWNER_URL', url: ownerUrl })
    return { url, ownerUrl, close: async () => {} }
  }
  const dataDir = resolve(config.dataDir)
  if (!isExclusive && !existsSync(join(dataDir, 'postgres'))) return undefined
  // A command does not wait for a running server to exit.
  const options = { dataDir, ownerWaitMs: 0, log: () => {} }
  const server = await (isExclusive ? startEmbeddedPostgres(options) : openEmbeddedPostgres(options))
  return { url: server.url, ownerUrl: server.ownerUrl, close: server.stop }
}

async function assertReachable(source: { variable: string; url: string }): Promise<void> {
  const client = new pg.Client({ connectionString: source.url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw explainDatabaseError(error, source)
  } finally {
    await client.end().catch(() => {})
  }
}
