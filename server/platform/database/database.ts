import { type Driver, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { DB } from './database.types.ts'
import { nameStatements, QueryCompiler } from './planned-once.ts'

export type Database = Kysely<DB>
export type Tx = Transaction<DB>

// pg returns bigint as text; every bigint here (points, counts) stays far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export type PoolOptions = {
  max?: number
  /** Receives the failures of connections; a query on a broken connection fails anyway. */
  onError?: (error: Error) => void
  /** Timeout of a query; waiting for a connection may take two thirds of it. */
  timeoutMs?: number
}

/** An unresponsive database costs a request five seconds in total. */
export const TIMEOUTS_MS = { connection: 2_000, answer: 3_000 }

/** Shares of the query timeout after which PostgreSQL cancels a statement or a wait for a lock. */
const STATEMENT_SHARE = 5 / 6
const LOCK_SHARE = 2 / 3
const CONNECTION_SHARE = TIMEOUTS_MS.connection / TIMEOUTS_MS.answer

const KEEP_ALIVE_DELAY_MS = 10_000

/** Typed as any object, because the type of `onConnect` allows no promise, although the pool awaits it. */
const WHEN_CONNECTED: object = { onConnect: nameStatements }

/** PostgreSQL's statement timeout fires before ours, so that no statement is left running. */
export function openPool(
  url: string,
  { max = 12, timeoutMs = TIMEOUTS_MS.answer, onError = () => {} }: PoolOptions = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: timeoutMs * CONNECTION_SHARE,
    idleTimeoutMillis: 30_000,
    statement_timeout: timeoutMs * STATEMENT_SHARE,
    lock_timeout: timeoutMs * LOCK_SHARE,
    query_timeout: timeoutMs,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    application_name: 'dropwright',
    ...WHEN_CONNECTED,
  })
  // A broken connection already fails its query; without a listener the event would crash the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  closeDeadConnections(pool, onError)
  return pool
}

/**
 * Destroys a connection that looks open but is useless, so that the pool cannot reuse it. Also destroys all
 * idle ones, because they probably lead to the same server.
 */
function closeDeadConnections(pool: pg.Pool, onError: (error: Error) => void): void {
  const idle = new Set<pg.PoolClient>()
  const closed = new WeakSet<object>()
  const close = (client: pg.PoolClient) => {
    closed.add(client)
    idle.delete(client)
    // Tells the pool that the connection has ended. Does not wait: the server would not answer.
    client.end().catch(() => {})
    client.connection.stream.destroy()
  }
  pool.on('connect', (client) => {
    client.once('end', () => {
      // A connection that breaks in use is released only later, and is not idle then.
      closed.add(client)
      idle.delete(client)
    })
    watchQueries(client, (reason) => {
      if (closed.has(client)) return
      const others = [...idle]
      close(client)
      for (const other of others) {
        // Makes the pool remove the idle connection.
        closed.add(other)
        other.emit('error', new Error('Connection terminated'))
        close(other)
      }
      onError(new Error(`${reason}; it was closed, together with ${others.length} idle ones`))
    })
  })
  pool.on('acquire', (client) => idle.delete(client))
  pool.on('release', (_error, client) => {
    if (!closed.has(client)) idle.add(client)
  })
  pool.on('error', (error, client) => {
    // Not after `pool.end()`: a server that stops may terminate a connection before the pool has closed it.
    if (!closed.has(client) && !pool.ending) onError(error)
  })
}

type QueryCallback = (error: unknown, ...results: unknown[]) => void

/** Calls back when a query fails in a way that makes its connection useless. */
function watchQueries(client: pg.PoolClient, onUseless: (reason: string) => void): void {
  const reportUseless = (error: unknown) => {
    const reason = whyUseless(error)
    if (reason !== undefined) onUseless(reason)
  }
  client.query = new Proxy(client.query, {
    apply(query, self, args: unknown[]) {
      const last = args.at(-1)
      if (typeof last !== 'function') {
        const result: unknown = Reflect.apply(query, self, args)
        if (result instanceof Promise) result.catch(reportUseless)
        return result
      }
      const callback = last as QueryCallback
      const wrapped: QueryCallback = (error, ...results) => {
        reportUseless(error)
        callback(error, ...results)
      }
      return Reflect.apply(query, self, [...args.slice(0, -1), wrapped])
    },
  })
}

/** Why the connection of a failed query must not be used again; undefined if it may. */
function whyUseless(error: unknown): string | undefined {
  // Not even PostgreSQL's own statement timeout arrived: a firewall dropped the connection, or the database
  // failed over. pg rejects the query, but keeps the connection and emits no event.
  if (error instanceof Error && error.message === 'Query read timeout') return 'it did not answer'
  if (isPlanOutdated(error)) return 'a migration has changed what its statements return'
  return sqlState(error) === READ_ONLY ? 'its server was demoted by a failover' : undefined
}

/** Whether a statement failed because it was planned before a migration. Planned anew, it would succeed. */
function isPlanOutdated(error: unknown): boolean {
  return sqlState(error) === '0A000' && (error as Error).message.startsWith('cached plan must not change')
}

class Dialect extends PostgresDialect {
  override createDriver(): Driver {
    const driver = super.createDriver()
    const rollBack = driver.rollbackTransaction.bind(driver)
    // On a lost connection, the rollback fails too, which would hide why the connection was lost.
    driver.rollbackTransaction = (connection) => rollBack(connection).catch(() => {})
    return driver
  }

  override createQueryCompiler(): QueryCompiler {
    return new QueryCompiler()
  }
}

export const openDatabase = (pool: pg.Pool): Database => new Kysely<DB>({ dialect: new Dialect({ pool }) })

const MAX_ATTEMPTS = 3

/** Runs `work` in a transaction {@link withRetries}, so it must have no side effects besides its queries. */
export function inTransaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withRetries(() => db.transaction().execute(work))
}

/** Runs a transaction or statement again after a deadlock, a serialization failure or an outdated plan. */
export async function withRetries<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction()
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error
    }
  }
}

function isRetryable(error: unknown): boolean {
  const code = sqlState(error)
  return code === '40P01' || code === '40001' || isPlanOutdated(error)
}

export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

export const violatedUnique = (error: unknown): string | undefined => violated('23505', error)

/** The name of the violated check constraint, including one raised by a trigger; otherwise undefined. */
export const violatedCheck = (error: unknown): string | undefined => violated('23514', error)

const violated = (state: string, error: unknown) =>
  error instanceof pg.DatabaseError && error.code === state ? error.constraint : undefined

/** The SQLSTATE of a write on a server that has become a standby. */
const READ_ONLY = '25006'

// Connection failures (08), resources and lock waits (53, 55P03), cancellation by a timeout (57), a standby
// (25006), and the messages of Node and the pool for a lost connection.
const UNAVAILABLE_STATES = /^(08|53|57)|^(55P03|25006)$/
const UNAVAILABLE_MESSAGES =
  /ECONNREFUSED|ECONNRESET|EPIPE|connect ENOENT|ETIMEDOUT|timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable|server closed the connection/

/** Whether the database is unavailable, as opposed to an error of the query. */
export function isUnavailable(error: unknown): boolean {
  const state = sqlState(error)
  // An outdated plan is replaced after one failure, so trying again helps.
  if (state !== undefined) return UNAVAILABLE_STATES.test(state) || isPlanOutdated(error)
  return (
    error instanceof Error &&
    UNAVAILABLE_MESSAGES.test(`${(error as NodeJS.ErrnoException).code ?? ''} ${error.message}`)
  )
}
