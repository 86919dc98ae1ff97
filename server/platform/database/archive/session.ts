import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** For long work. {@link countServingSessions} does not count this connection. */
export async function connectForArchive(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'archive of dropwright',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  // Without a listener a lost connection would end the process; the running query fails anyway.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Ends a connection; a broken one is already gone. */
export const disconnect = (client: pg.Client): Promise<void> => client.end().catch(() => {})

/** Until the transaction ends: no timeouts, and values written so that every PostgreSQL reads them alike. */
export const TRANSACTION_SETTINGS = `
  select set_config(name, wanted, true) from pg_settings join (values
    ('statement_timeout', '0'), ('lock_timeout', '0'), ('idle_in_transaction_session_timeout', '0'),
    ('transaction_timeout', '0'), ('datestyle', 'ISO, YMD'), ('intervalstyle', 'postgres'), ('timezone', 'UTC'),
    ('extra_float_digits', '1'), ('bytea_output', 'hex'), ('row_security', 'off'), ('client_encoding', 'UTF8')
  ) s (known, wanted) on name = known`

/** For how long the connections of a process that has just ended may still be listed. */
const LINGER_MS = 3_000
const POLL_MS = 50

/** Waits for closing sessions to end. Not for use in a transaction, which would always see the same list. */
export async function countLastingSessions(client: pg.Client): Promise<number> {
  const end = Date.now() + LINGER_MS
  for (;;) {
    const sessions = await countServingSessions(client)
    if (sessions === 0 || Date.now() > end) return sessions
    await pause(POLL_MS)
  }
}

/** The number of connections that serving nodes have to this database. Any role may count them. */
export async function countServingSessions(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ sessions: number }>(
    `select count(*)::int as sessions from pg_stat_activity
     where datname = current_database() and application_name in ('dropwright', 'dropwright probe')`,
  )
  return rows[0]?.sessions ?? 0
}

/** Takes an advisory lock for long work. @returns a function that releases it; undefined if it is held. */
export async function tryHoldLock(url: string, lock: number): Promise<(() => Promise<void>) | undefined> {
  const client = await connectForArchive(url)
  let isHeld = false
  try {
    // In a transaction, because a pooler may be in between.
    await client.query('begin')
    await client.query(TRANSACTION_SETTINGS)
    const statement = 'select pg_try_advisory_xact_lock($1) as "isLocked"'
    const { rows } = await client.query<{ isLocked: boolean }>(statement, [lock])
    isHeld = rows[0]?.isLocked ?? false
  } finally {
    if (!isHeld) await disconnect(client)
  }
  return isHeld ? () => disconnect(client) : undefined
}
