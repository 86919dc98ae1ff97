import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Pool, QueryResult } from 'pg'
import { grantTo } from './grants.ts'
import { Misconfigured } from './misconfigured.ts'

const MIGRATIONS = new URL('../migrations/', import.meta.url)
/** Any number will do, as long as nothing else in the database locks it. */
const ADVISORY_LOCK = 5_369_369

/** Milliseconds: a migration, and waiting for another node's, may take longer than any request. */
const PATIENCE = 24 * 60 * 60 * 1_000

/**
 * Brings the database to the newest schema: plain SQL files, forward only, each in a transaction of its
 * own. Nodes that start at once wait for each other on an advisory lock.
 * @param role who serves, when that is not who migrates: it gets its grants.
 * @returns what that role can do and should not.
 * @throws Misconfigured when a newer version of the program has been here; when a file that was applied has been
 * edited since.
 */
export async function migrate(
  pool: Pool,
  log: (line: string) => void = () => {},
  role?: string,
): Promise<string[]> {
  const client = await pool.connect()
  const run: Run = (text, values = []) => {
    const query = { text, values: [...values], query_timeout: PATIENCE }
    return client.query<Record<string, string>>(query)
  }
  try {
    await run('set statement_timeout = 0')
    await run('set lock_timeout = 0')
    await run(`select pg_advisory_lock(${ADVISORY_LOCK})`)
    // Looked for first: who only serves may start on a schema that is up to date, but not make tables.
    const { rows } = await run(`select to_regclass('migrations') as found`)
    if (!rows[0]?.['found']) await run(MIGRATIONS_TABLE)
    for (const migration of await pending(run)) await apply(run, migration, log)
    return role === undefined ? [] : await grantTo(run, role)
  } finally {
    // Not back to the pool: with it go its settings and its lock.
    client.release(true)
  }
}

const MIGRATIONS_TABLE =
  'create table migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())'

type Run = (text: string, values?: readonly string[]) => Promise<QueryResult<Record<string, string>>>

type Migration = { name: string; sql: string; sha256: string }

async function pending(run: Run): Promise<Migration[]> {
  const { rows } = await run('select name, sha256 from migrations')
  const applied = new Map(rows.map((row) => [row['name'] ?? '', row['sha256']]))
  const all = await readMigrations()
  const known = new Set(all.map(({ name }) => name))
  const unknown = [...applied.keys()].filter((name) => !known.has(name)).toSorted()
  if (unknown.length > 0)
    throw new Misconfigured(
      `it is newer than this program: ${unknown.join(', ')} applied, ${all.at(-1)?.name} is the last known here. ` +
        'Start the version that it was migrated by, or a later one.',
    )
  const edited = all.find(({ name, sha256 }) => applied.has(name) && applied.get(name) !== sha256)
  if (edited)
    throw new Error(`Migration ${edited.name} was edited after it was applied; add a new file instead.`)
  return all.filter(({ name }) => !applied.has(name))
}

/** What the schema is made of, in the order in which it is applied. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, MIGRATIONS), 'utf8')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function apply(run: Run, { name, sql, sha256 }: Migration, log: (line: string) => void) {
  await run('begin')
  try {
    await run(sql)
    await run('insert into migrations (name, sha256) values ($1, $2)', [name, sha256])
    await run('commit')
    log(`Applied ${name}`)
  } catch (error) {
    await run('rollback')
    throw error
  }
}
