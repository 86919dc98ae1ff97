import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { DB } from './database.types.ts'

export type Database = Kysely<DB>
export type Tx = Transaction<DB>

// bigint comes as text by default; every bigint here (points, counts) stays far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * A pool that outlives the database: idle connections that break are reported, not thrown, and every
 * wait is bounded (milliseconds), so that a database that hangs cannot hang the process.
 */
export function openPool(url: string, onError: (error: Error) => void, max = 12): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 4_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 3_000,
    lock_timeout: 2_500,
    query_timeout: 4_000,
    idle_in_transaction_session_timeout: 10_000,
    application_name: 'dropwright',
  })
  pool.on('error', onError)
  return pool
}

export function openDatabase(pool: pg.Pool): Database {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}

const ATTEMPTS = 3

/**
 * Runs `work` in a transaction, again when PostgreSQL asks for it (deadlock, serialisation): the work
 * must therefore do nothing but queries.
 */
export async function inTransaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error
    }
  }
}

function isRetryable(error: unknown): boolean {
  const code = sqlState(error)
  return code === '40P01' || code === '40001'
}

/** The SQLSTATE of an error that PostgreSQL reported, else undefined. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/** The name of the unique constraint or index that an insert or update ran into, else undefined. */
export function violatedUnique(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code === '23505' ? error.constraint : undefined
}

// Connection trouble (08), resources and lock waits (53, 55P03), cancelled by a time-out (57), and what
// Node and the pool say when there is nobody at the other end.
const UNAVAILABLE_STATES = /^(08|53|57)|^55P03$/
const UNAVAILABLE_TEXTS =
  /ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable|server closed the connection/

/** Whether an error means that the database cannot be used now, rather than that the query was wrong. */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== undefined) return UNAVAILABLE_STATES.test(state)
  return (
    error instanceof Error &&
    UNAVAILABLE_TEXTS.test(`${(error as NodeJS.ErrnoException).code ?? ''} ${error.message}`)
  )
}
