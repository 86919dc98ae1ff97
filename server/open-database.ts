import { resolve } from 'node:path'
import type { CommandConfig, Config } from './config.ts'
import { databaseTrouble } from './database-trouble.ts'
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
import type pg from 'pg'

export type OpenDatabase = {
  pool: pg.Pool
  /** For what needs a session, such as LISTEN: leads past a transaction pooler. */
  sessionPool: pg.Pool
  /** Uses a connection of its own, so that it works while the pool is busy. */
  probe: Probe
  db: Database
  publicReads: PublicReads
  url: string
  close(): Promise<void>
  /** Ends an embedded database at once, whatever still runs in it. */
  cut(): Promise<void>
}

type Log = { info: (line: string) => void; warn: (line: string) => void }

type OpenOptions = {
  /** Maximum connections; as configured when absent. */
  poolSize?: number
  /** Warns of limits of the database or its pooler; workers leave that to the primary. */
  isFirst?: boolean
}

/**
 * Opens the configured database, migrated: DATABASE_URL, else the embedded PostgreSQL in DATA_DIR.
 * @throws an error with one line that says what to do; Misconfigured when a restart cannot help.
 */
export async function openConfiguredDatabase(
  config: Config,
  log: Log,
  { poolSize = config.poolSize, isFirst = true }: OpenOptions = {},
): Promise<OpenDatabase> {
  const { databaseConnections } = config
  const server =
    externalServer(config) ??
    (await startEmbeddedPostgres({ ...embedded(config, log), connections: databaseConnections }))
  const database = await openOn(server, config, log, poolSize, config.databaseReplicaUrl)
  try {
    if (config.databaseUrl && isFirst) await warnOfLimits(database.pool, config, log)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Like {@link openConfiguredDatabase}, but for a command, which also works while the server runs. */
export async function openDatabaseForCommand(config: CommandConfig): Promise<OpenDatabase> {
  const log: Log = { info: () => {}, warn: console.error }
  const server = externalServer(config) ?? (await openEmbeddedPostgres(embedded(config, log)))
  return openOn(server, config, log, COMMAND_POOL)
}

/** An external server is not ours to stop. */
const UNMANAGED = { stop: async () => {}, cut: async () => {} }

function externalServer({ databaseUrl, databaseOwnerUrl }: CommandConfig): EmbeddedPostgres | undefined {
  return databaseUrl
    ? { url: databaseUrl, ownerUrl: databaseOwnerUrl ?? databaseUrl, ...UNMANAGED }
    : undefined
}

const embedded = ({ dataDir }: CommandConfig, log: Log) => ({ dataDir: resolve(dataDir), log: log.info })

/** Milliseconds: the primary answers instead of a replica that takes longer. */
const REPLICA_TIMEOUT_MS = 1_000

async function openOn(
  server: EmbeddedPostgres,
  config: CommandConfig,
  log: Log,
  max: number,
  replicaUrl?: string,
): Promise<OpenDatabase> {
  const warn = (error: Error) => log.warn(`A database connection broke: ${error.message}`)
  const pool = openPool(server.url, warn, { max })
  const direct = config.databaseDirectUrl
  const sessionPool = direct ? openPool(direct, warn, { max: SESSION_POOL }) : pool
  const replicaPool = replicaUrl
    ? openPool(replicaUrl, warn, { max, timeoutMs: REPLICA_TIMEOUT_MS })
    : undefined
  const probe = createProbe(server.url)
  const close = async () => {
    const pools = new Set([pool, sessionPool, ...(replicaPool ? [replicaPool] : [])])
    await Promise.all([...[...pools].map((each) => each.end()), probe.close()])
    await server.stop()
  }
  try {
    await prepare({ pool, sessionPool }, server, config, log)
  } catch (error) {
    await close()
    throw error
  }
  const db = openDatabase(pool)
  const onError = (error: unknown) => log.warn(`The replica is not used for a while: ${String(error)}`)
  const publicReads = createPublicReads(db, replicaPool && { db: openDatabase(replicaPool), onError })
  return { pool, sessionPool, probe, db, publicReads, url: server.url, close, cut: server.cut }
}

/** Migrates; with a separate owner, as that role, which then grants the serving role its rights. */
async function prepare(
  { pool, sessionPool }: Pick<OpenDatabase, 'pool' | 'sessionPool'>,
  server: EmbeddedPostgres,
  config: CommandConfig,
  log: Log,
): Promise<void> {
  const { url, ownerUrl } = server
  const isEmbedded = !config.databaseUrl
  const explained = <T>(variable: string, used: string, step: Promise<T>): Promise<T> =>
    step.catch((error: unknown) => {
      throw databaseTrouble(error, isEmbedded ? undefined : { variable, url: used })
    })
  const direct = config.databaseDirectUrl ?? url
  if (ownerUrl === direct) {
    const variable = direct === url ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
    return void (await explained(variable, direct, migrate(sessionPool, log.info)))
  }
  const currentRole = pool.query<{ role: string }>('select current_user as role')
  const role = (await explained('DATABASE_URL', url, currentRole)).rows[0]?.role
  const owner = openPool(ownerUrl, () => {}, { max: 1 })
  const migrating = migrate(owner, log.info, role).finally(() => owner.end())
  const mutableTables = await explained('DATABASE_OWNER_URL', ownerUrl, migrating)
  if (mutableTables.length === 0) return
  log.warn(
    `${mutableTables.join(', ')}: only to grow, but the role ${role} owns them or is in a role that may change them.`,
  )
}
