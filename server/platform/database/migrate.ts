import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { fromRoot } from '../root.ts'
import { grantTo, type Run } from './grants.ts'
import { Misconfigured } from '../misconfigured.ts'

const MIGRATIONS = fromRoot('server/migrations')
/** The advisory lock held while migrating: every start takes it. Arbitrary, but unique in a database. */
export const MIGRATION_LOCK = 5_369_369
/** The advisory lock held while the schema changes. A backup takes it in shared mode, to prevent changes. */
export const SCHEMA_LOCK = 5_369_370

/** For a migration, and for waiting for another node's. Both may take far longer than a request. */
const TIMEOUT_MS = 24 * 60 * 60 * 1_000

type Options = {
  /**
   * Runs before the first pending migration of a database with data, while no other node can migrate. When an
   * interrupted upgrade continues, does not run again: a backup of a schema between two versions is of no use.
   */
  onUpgrade?: (() => Promise<void>) | undefined
}

/**
 * Migrates the database to the newest schema: plain SQL files, forward only, each in its own transaction.
 * Nodes that start together wait on an advisory lock. Idempotent. Why not a library: docs/decisions/024.
 * @param role the serving role, if it is not the migrating one; receives its grants.
 * @returns append-only tables that this role can still modify.
 * @throws Misconfigured when the schema is newer than the program; Error when an applied file was edited.
 */
export async function migrate(
  pool: pg.Pool,
  log: (line: string) => void = () => {},
  role?: string,
  { onUpgrade }: Options = {},
): Promise<string[]> {
  const client = await pool.connect()
  const run: Run = (text, values = []) => {
    const query = { text, values: [...values], query_timeout: TIMEOUT_MS }
    return client.query<Record<string, string>>(query)
  }
  try {
    await run('set statement_timeout = 0')
    await run('set lock_timeout = 0')
    await run(`select pg_advisory_lock(${MIGRATION_LOCK})`)
    // Not `create table if not exists`: a role that may not create tables can start on an up-to-date schema.
    const { rows } = await run(`select to_regclass('migrations') as existing`)
    const isEmpty = !rows[0]?.['existing']
    if (isEmpty) await run(MIGRATIONS_TABLE)
    const pending = await pendingMigrations(run)
    if (pending.length > 0) {
      if (!isEmpty) await beginUpgrade(run, onUpgrade)
      await run(`select pg_advisory_lock(${SCHEMA_LOCK})`)
    }
    for (const migration of pending) await apply(run, migration, log, migration === pending.at(-1))
    return role === undefined ? [] : await grantTo(run, role)
  } finally {
    // Closes the connection instead of returning it, so that its settings and locks end.
    client.release(true)
  }
}

export const MIGRATIONS_TABLE =
  'create table migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())'

/** Runs `onUpgrade` and notes the newest migration. An older note is from an upgrade that was interrupted. */
async function beginUpgrade(run: Run, onUpgrade: Options['onUpgrade']): Promise<void> {
  const { rows } = await run(
    `select max(name) as newest, obj_description('migrations'::regclass) as noted from migrations`,
  )
  const { newest, noted } = rows[0] ?? {}
  if (noted && noted !== newest) return
  await onUpgrade?.()
  await run(`comment on table migrations is ${pg.escapeLiteral(newest ?? '')}`)
}

export type Migration = { name: string; sql: string; sha256: string }

/** @throws Misconfigured when the schema is newer than the program; Error when an applied file was edited. */
export async function pendingMigrations(run: Run): Promise<Migration[]> {
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

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(path.join(MIGRATIONS, name), 'utf8')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

export const RECORD_MIGRATION = 'insert into migrations (name, sha256) values ($1, $2)'

/** @param isLast whether the upgrade ends with this migration, which then removes the note in its commit. */
async function apply(
  run: Run,
  { name, sql, sha256 }: Migration,
  log: (line: string) => void,
  isLast: boolean,
) {
  await run('begin')
  try {
    await run(sql)
    await run(RECORD_MIGRATION, [name, sha256])
    if (isLast) await run('comment on table migrations is null')
    await run('commit')
    log(`Applied ${name}`)
  } catch (error) {
    // Fails if the connection is lost, which rolls back as well. The first error says what was wrong.
    await run('rollback').catch(() => {})
    throw error
  }
}
