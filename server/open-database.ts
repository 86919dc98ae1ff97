import { resolve } from 'node:path'
import type { CommandConfig, Config } from './config.ts'
import { databaseTrouble } from './database-trouble.ts'
import { COMMAND_POOL } from './platform/connections.ts'
import { type Database, openDatabase, openPool } from './platform/database.ts'
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
  startEmbeddedPostgres,
} from './platform/embedded-postgres.ts'
import { migrate } from './platform/migrate.ts'
import { createProbe, type Probe } from './platform/probe.ts'
import type pg from 'pg'

export type OpenDatabase = {
  pool: pg.Pool
  /** Asks on a connection of its own. */
  probe: Probe
  db: Database
  url: string
  close(): Promise<void>
  /** Ends a database of our own whatever still goes on in it. */
  cut(): Promise<void>
}

type Log = { info: (line: string) => void; warn: (line: string) => void }

type Server = EmbeddedPostgres

type Opening = {
  /** Connections at most; as many as configured when absent. */
  poolSize?: number
  /** False in a process whose parent has compared them. */
  compare?: boolean
}

/**
 * Opens the configured database, migrated: DATABASE_URL, else the embedded PostgreSQL in DATA_DIR.
 * @throws with one line that says what to do; Misconfigured when starting again is of no use.
 */
export async function openConfiguredDatabase(
  config: Config,
  log: Log,
  { poolSize = config.poolSize, compare = true }: Opening = {},
): Promise<OpenDatabase> {
  const { databaseConnections } = config
  const server =
    serverElsewhere(config) ??
    (await startEmbeddedPostgres({ ...embedded(config, log), connections: databaseConnections }))
  const database = await openOn(server, config, log, poolSize)
  try {
    if (config.databaseUrl && compare) await compareRoom(database.pool, config, log)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** The same for a command, which also works while the server runs. */
export async function openDatabaseForCommand(config: CommandConfig): Promise<OpenDatabase> {
  const log: Log = { info: () => {}, warn: console.error }
  const server = serverElsewhere(config) ?? (await openEmbeddedPostgres(embedded(config, log)))
  return openOn(server, config, log, COMMAND_POOL)
}

const NOT_OURS = { stop: async () => {}, cut: async () => {} }

function serverElsewhere({ databaseUrl, databaseOwnerUrl }: CommandConfig): Server | undefined {
  return databaseUrl
    ? { url: databaseUrl, ownerUrl: databaseOwnerUrl ?? databaseUrl, ...NOT_OURS }
    : undefined
}

const embedded = ({ dataDir }: CommandConfig, log: Log) => ({ dataDir: resolve(dataDir), log: log.info })

async function openOn(server: Server, config: CommandConfig, log: Log, max: number): Promise<OpenDatabase> {
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

/** Migrates, as the owner where there is one besides the role that serves, which then gets its grants. */
async function prepare(pool: pg.Pool, server: Server, config: CommandConfig, log: Log): Promise<void> {
  const { url, ownerUrl } = server
  const isOurs = !config.databaseUrl
  const orTrouble = <T>(variable: string, used: string, step: Promise<T>): Promise<T> =>
    step.catch((error: unknown) => {
      throw databaseTrouble(error, isOurs ? undefined : { variable, url: used })
    })
  if (ownerUrl === url) return void (await orTrouble('DATABASE_URL', url, migrate(pool, log.info)))
  const asked = pool.query<{ role: string }>('select current_user as role')
  const role = (await orTrouble('DATABASE_URL', url, asked)).rows[0]?.role
  const owner = openPool(ownerUrl, () => {}, { max: 1 })
  const migrating = migrate(owner, log.info, role).finally(() => owner.end())
  const changeable = await orTrouble('DATABASE_OWNER_URL', ownerUrl, migrating)
  if (changeable.length === 0) return
  log.warn(
    `${changeable.join(', ')}: only to grow, but the role ${role} owns them or is in a role that may change them.`,
  )
}

/** Says so when the database gives less than this machine may ask for: under load, requests would fail. */
async function compareRoom(pool: pg.Pool, { databaseConnections }: Config, log: Log): Promise<void> {
  const { rows } = await pool.query<{ room: number }>(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as room`,
  )
  const room = rows[0]?.room ?? databaseConnections
  if (databaseConnections <= room) return
  log.warn(
    `This machine may open ${databaseConnections} database connections, but the database takes ${room}: ` +
      'set DATABASE_CONNECTIONS to what is left for this machine, or lower WORKERS.',
  )
}
