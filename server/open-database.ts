import { resolve } from 'node:path'
import type { CommandConfig, Config } from './config.ts'
import { databaseTrouble } from './database-trouble.ts'
import { COMMAND_POOL } from './platform/database/connections.ts'
import { type Database, openDatabase, openPool } from './platform/database/database.ts'
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
  startEmbeddedPostgres,
} from './platform/database/embedded-postgres.ts'
import { migrate } from './platform/database/migrate.ts'
import { createProbe, type Probe } from './platform/database/probe.ts'
import type pg from 'pg'

export type OpenDatabase = {
  pool: pg.Pool
  /** Uses a connection of its own, so that it works while the pool is busy. */
  probe: Probe
  db: Database
  url: string
  close(): Promise<void>
  /** Ends an embedded database at once, whatever still runs in it. */
  cut(): Promise<void>
}

type Log = { info: (line: string) => void; warn: (line: string) => void }

type OpenOptions = {
  /** Maximum connections; as configured when absent. */
  poolSize?: number
  /** Warns when the database allows fewer connections than configured; workers leave that to the primary. */
  checkCapacity?: boolean
}

/**
 * Opens the configured database, migrated: DATABASE_URL, else the embedded PostgreSQL in DATA_DIR.
 * @throws an error with one line that says what to do; Misconfigured when a restart cannot help.
 */
export async function openConfiguredDatabase(
  config: Config,
  log: Log,
  { poolSize = config.poolSize, checkCapacity = true }: OpenOptions = {},
): Promise<OpenDatabase> {
  const { databaseConnections } = config
  const server =
    externalServer(config) ??
    (await startEmbeddedPostgres({ ...embedded(config, log), connections: databaseConnections }))
  const database = await openOn(server, config, log, poolSize)
  try {
    if (config.databaseUrl && checkCapacity) await warnOfLowCapacity(database.pool, config, log)
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

async function openOn(
  server: EmbeddedPostgres,
  config: CommandConfig,
  log: Log,
  max: number,
): Promise<OpenDatabase> {
  const warn = (error: Error) => log.warn(`A database connection broke: ${error.message}`)
  const pool = openPool(server.url, warn, { max })
  const probe = createProbe(server.url)
  const close = async () => {
    await Promise.all([pool.end(), probe.close()])
    await server.stop()
  }
  try {
    await prepare(pool, server, config, log)
  } catch (error) {
    await close()
    throw error
  }
  return { pool, probe, db: openDatabase(pool), url: server.url, close, cut: server.cut }
}

/** Migrates; with a separate owner, as that role, which then grants the serving role its rights. */
async function prepare(
  pool: pg.Pool,
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
  if (ownerUrl === url) return void (await explained('DATABASE_URL', url, migrate(pool, log.info)))
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

/** Warns when the database allows fewer connections than this machine may open: requests would fail under load. */
async function warnOfLowCapacity(pool: pg.Pool, { databaseConnections }: Config, log: Log): Promise<void> {
  const { rows } = await pool.query<{ capacity: number }>(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as capacity`,
  )
  const capacity = rows[0]?.capacity ?? databaseConnections
  if (databaseConnections <= capacity) return
  log.warn(
    `This machine may open ${databaseConnections} database connections, but the database takes ${capacity}: ` +
      'set DATABASE_CONNECTIONS to what is left for this machine, or lower WORKERS.',
  )
}
