import { resolve } from 'node:path'
import type { Config } from './config.ts'
import { type Database, openDatabase, openPool } from './platform/database.ts'
import { openEmbeddedPostgres, startEmbeddedPostgres } from './platform/embedded-postgres.ts'
import { migrate } from './platform/migrate.ts'
import type pg from 'pg'

export type OpenDatabase = { pool: pg.Pool; db: Database; url: string; close(): Promise<void> }

type Log = { info: (line: string) => void; warn: (line: string) => void }

/**
 * Opens the configured database, migrated: DATABASE_URL, else the embedded PostgreSQL in DATA_DIR.
 * `beside: true` is for commands that also work while the server runs.
 */
export async function openConfiguredDatabase(
  config: Config,
  log: Log,
  { beside = false } = {},
): Promise<OpenDatabase> {
  const server = await findServer(config, log, beside)
  const owner = openPool(server.ownerUrl, () => {}, { max: 1 })
  await migrate(owner, log.info)
    .catch((error: unknown) => {
      const place = config.databaseUrl ? 'of DATABASE_URL' : 'in DATA_DIR'
      throw new Error(`The database ${place} cannot be used: ${reasonOf(error)}`, { cause: error })
    })
    .finally(() => owner.end())
  const pool = openPool(server.url, (error) => log.warn(`A database connection broke: ${error.message}`))
  const close = async () => {
    await pool.end()
    await server.stop()
  }
  return { pool, db: openDatabase(pool), url: server.url, close }
}

async function findServer({ databaseUrl, databaseOwnerUrl, dataDir }: Config, log: Log, beside: boolean) {
  if (databaseUrl)
    return { url: databaseUrl, ownerUrl: databaseOwnerUrl ?? databaseUrl, stop: async () => {} }
  const open = beside ? openEmbeddedPostgres : startEmbeddedPostgres
  const { url, stop } = await open({ dataDir: resolve(dataDir), log: log.info })
  return { url, ownerUrl: url, stop }
}

/** A name that has several addresses fails with one error for all of them, which has no words of its own. */
function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException
  return message || code || String(error)
}
