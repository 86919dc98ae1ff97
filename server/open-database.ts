import { resolve } from 'node:path'
import type { Config } from './config.ts'
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

type Opening = {
  /** For commands, which also work while the server runs. */
  beside?: boolean
  /** Connections, when not as many as configured. */
  poolSize?: number
}

/**
 * Opens the configured database, migrated: DATABASE_URL, else the embedded PostgreSQL in DATA_DIR.
 */
export async function openConfiguredDatabase(
  config: Config,
  log: Log,
  { beside = false, poolSize = beside ? COMMAND_POOL : config.poolSize }: Opening = {},
): Promise<OpenDatabase> {
  const server = await findServer(config, log, beside)
  const warn = (error: Error) => log.warn(`A database connection broke: ${error.message}`)
  const pool = openPool(server.url, warn, { max: poolSize })
  const probe = createProbe(server.url)
  const close = async () => {
    await Promise.all([pool.end(), probe.close()])
    await server.stop()
  }
  try {
    await prepare(pool, server, log)
    if (config.databaseUrl && !beside) await compareRoom(pool, config, log)
  } catch (error) {
    await close()
    const place = config.databaseUrl ? 'of DATABASE_URL' : 'in DATA_DIR'
    throw new Error(`The database ${place} cannot be used: ${reasonOf(error)}`, { cause: error })
  }
  return { pool, probe, db: openDatabase(pool), url: server.url, close, cut: server.cut }
}

/** Migrates, as the owner where there is one besides the role that serves, which then gets its grants. */
async function prepare(pool: pg.Pool, { url, ownerUrl }: Server, log: Log): Promise<void> {
  if (ownerUrl === url) return void (await migrate(pool, log.info))
  const { rows } = await pool.query<{ role: string }>('select current_user as role')
  const role = rows[0]?.role
  const owner = openPool(ownerUrl, () => {}, { max: 1 })
  const changeable = await migrate(owner, log.info, role).finally(() => owner.end())
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

type Server = EmbeddedPostgres

const NOT_OURS = { stop: async () => {}, cut: async () => {} }

async function findServer(
  { databaseUrl, databaseOwnerUrl, databaseConnections, dataDir }: Config,
  log: Log,
  beside: boolean,
): Promise<Server> {
  if (databaseUrl) return { url: databaseUrl, ownerUrl: databaseOwnerUrl ?? databaseUrl, ...NOT_OURS }
  const options = { dataDir: resolve(dataDir), log: log.info }
  if (beside) return openEmbeddedPostgres(options)
  return startEmbeddedPostgres({ ...options, connections: databaseConnections })
}

/** A name that has several addresses fails with one error for all of them, which has no words of its own. */
function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return message || code || String(error)
}
