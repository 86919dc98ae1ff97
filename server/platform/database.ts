import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { DB } from './database.types.ts'

export type Database = Kysely<DB>
export type Tx = Transaction<DB>

// bigint comes as text by default; every bigint here (points, counts) stays far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export type PoolSize = {
  /** Connections at most. */
  max?: number
  /** Milliseconds that a request waits for a connection, and then for each answer. */
  patience?: number
}

/**
 * A pool that outlives the database: idle connections that break are reported, not thrown, and every
 * wait is bounded, so that a database that hangs cannot hang the process. PostgreSQL gives up on a
 * statement before we do: then nothing of it goes on behind our back.
 */
export function openPool(
  url: string,
  onError: (error: Error) => void,
  { max = 12, patience = 4_000 }: PoolSize = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: patience,
    idleTimeoutMillis: 30_000,
    statement_timeout: patience * 0.75,
    lock_timeout: patience * 0.625,
    query_timeout: patience,
    idle_in_transaction_session_timeout: 10_000,
    application_name: 'dropwright',
  })
  pool.on('error', onError)
  // A connection that breaks in use fails its query, which is enough; unheard, the event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
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
