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
  /** Milliseconds that a request waits for each answer; for a connection it waits two thirds of that. */
  patience?: number
}

/** Milliseconds after which a request gives up on a database that keeps silent: five seconds together. */
export const SLOWEST = { connection: 2_000, answer: 3_000 }

/** Of the time for an answer: PostgreSQL gives up on a statement, and on a lock before that. */
const STATEMENT_SHARE = 5 / 6
const LOCK_SHARE = 2 / 3
const CONNECTION_SHARE = SLOWEST.connection / SLOWEST.answer

/** Milliseconds of idleness after which the kernel asks whether the other end is still there. */
const KEEP_ALIVE_AFTER = 10_000

/**
 * A pool that outlives the database: idle connections that break are reported, not thrown, and every
 * wait is bounded, so that a database that hangs cannot hang the process. PostgreSQL gives up on a
 * statement before we do: then nothing of it goes on behind our back.
 */
export function openPool(
  url: string,
  onError: (error: Error) => void,
  { max = 12, patience = SLOWEST.answer }: PoolSize = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: patience * CONNECTION_SHARE,
    idleTimeoutMillis: 30_000,
    statement_timeout: patience * STATEMENT_SHARE,
    lock_timeout: patience * LOCK_SHARE,
    query_timeout: patience,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER,
    application_name: 'dropwright',
  })
  // A connection that breaks in use fails its query, which is enough; unheard, the event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  giveUpSilent(pool, onError)
  return pool
}

/**
 * PostgreSQL gives up on a statement before we do, so a connection that does not even say that is dead, though it
 * looks alive: a firewall forgot it, or the database moved to another machine. It is cut, because the pool would hand
 * it out again; and with it those that lie idle, because the same has probably befallen them.
 */
function giveUpSilent(pool: pg.Pool, onError: (error: Error) => void): void {
  const idle = new Set<pg.PoolClient>()
  const givenUp = new WeakSet<object>()
  const close = (client: pg.PoolClient) => {
    givenUp.add(client)
    idle.delete(client)
    // Marks it for the pool; the good-bye would not be answered either, so nobody waits for that.
    client.end().catch(() => {})
    client.connection.stream.destroy()
  }
  pool.on('connect', (client) => {
    client.once('end', () => idle.delete(client))
    hearTimeouts(client, () => {
      if (givenUp.has(client)) return
      const others = [...idle]
      close(client)
      for (const other of others) {
        // The pool lets go of an idle one at this event.
        givenUp.add(other)
        other.emit('error', new Error('Connection terminated'))
        close(other)
      }
      onError(new Error(`it did not answer; it is closed, and ${others.length} idle ones with it`))
    })
  })
  pool.on('acquire', (client) => idle.delete(client))
  pool.on('release', (_error, client) => {
    if (!givenUp.has(client)) idle.add(client)
  })
  pool.on('error', (error, client) => {
    if (!givenUp.has(client)) onError(error)
  })
}

type Answered = (error: unknown, ...results: unknown[]) => void

/** pg gives up on the query, but keeps the connection and tells nobody. */
function hearTimeouts(client: pg.PoolClient, onTimeout: () => void): void {
  const watch = (error: unknown) => {
    if (error instanceof Error && error.message === 'Query read timeout') onTimeout()
  }
  client.query = new Proxy(client.query, {
    apply(query, self, given: unknown[]) {
      const last = given.at(-1)
      if (typeof last !== 'function') {
        const result: unknown = Reflect.apply(query, self, given)
        if (result instanceof Promise) result.catch(watch)
        return result
      }
      const answered = last as Answered
      const watched: Answered = (error, ...results) => {
        watch(error)
        answered(error, ...results)
      }
      return Reflect.apply(query, self, [...given.slice(0, -1), watched])
    },
  })
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
