import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Pool, PoolClient } from 'pg'

const MIGRATIONS = new URL('../migrations/', import.meta.url)
/** Any number will do, as long as nothing else in the database locks it. */
const ADVISORY_LOCK = 5_369_369

/**
 * Brings the database to the newest schema: plain SQL files, forward only, each in a transaction of its
 * own. Nodes that start at once wait for each other on an advisory lock.
 * @throws when a file that was applied has been edited since.
 */
export async function migrate(pool: Pool, log: (line: string) => void = () => {}): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK])
    await client.query(
      'create table if not exists migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
    )
    for (const migration of await pending(client)) await apply(client, migration, log)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [ADVISORY_LOCK]).catch(() => {})
    client.release()
  }
}

type Migration = { name: string; sql: string; sha256: string }

async function pending(client: PoolClient): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from migrations')
  const applied = new Map(rows.map((row) => [row.name, row.sha256]))
  const all = await readMigrations()
  const edited = all.find(({ name, sha256 }) => applied.has(name) && applied.get(name) !== sha256)
  if (edited)
    throw new Error(`Migration ${edited.name} was edited after it was applied; add a new file instead.`)
  return all.filter(({ name }) => !applied.has(name))
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, MIGRATIONS), 'utf8')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function apply(client: PoolClient, { name, sql, sha256 }: Migration, log: (line: string) => void) {
  await client.query('begin')
  try {
    // Migrating may take longer than a request may.
    await client.query('set local statement_timeout = 0')
    await client.query('set local lock_timeout = 0')
    await client.query(sql)
    await client.query('insert into migrations (name, sha256) values ($1, $2)', [name, sha256])
    await client.query('commit')
    log(`Applied ${name}`)
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
