import { readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { type Database, openDatabase, openPool } from '#server/platform/database/database.ts'
import { startEmbeddedPostgres } from '#server/platform/database/embedded-postgres.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { type Lifetime, makeDataDir } from '#server/testing/product.ts'
import { inScope } from './lifetime.ts'

export type TemporaryDatabase = {
  db: Database
  /** For other processes. Its role is the one that serves in production. */
  url: string
  ownerUrl: string
  /** Runs statements as the owner, without the time limit of requests. */
  runAsOwner: (...statements: string[]) => Promise<void>
  readLog: () => Promise<string>
  /** For processes that use the database. It ends before the database. */
  lifetime: Lifetime
}

/** Runs the callback with a temporary embedded PostgreSQL, with its production settings. */
export const withDatabase = <T>(use: (database: TemporaryDatabase) => Promise<T>): Promise<T> =>
  inScope(async (scope) => use(await openTemporaryDatabase(scope)))

async function openTemporaryDatabase(lifetime: Lifetime): Promise<TemporaryDatabase> {
  const dataDir = await makeDataDir(lifetime)
  const { url, ownerUrl, stop } = await startEmbeddedPostgres({ dataDir, log: () => {} })
  lifetime.after(stop)
  const pool = openPool(url)
  lifetime.after(() => pool.end())
  // As in the product, one role owns the schema, another serves.
  const owner = openPool(ownerUrl, { max: 1 })
  await migrate(owner, () => {}, new URL(url).username).finally(() => owner.end())
  return {
    db: openDatabase(pool),
    url,
    ownerUrl,
    readLog: () => readFile(path.join(dataDir, 'postgres', 'postgres.log'), 'utf8'),
    runAsOwner: (...statements) => runStatements(ownerUrl, statements),
    lifetime,
  }
}

async function runStatements(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
