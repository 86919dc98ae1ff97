import type pg from 'pg'
import type { Config } from './config/config.ts'

/** Settings in milliseconds. */
const TIMEOUTS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const

type Limits = Record<(typeof TIMEOUTS)[number], number> & {
  /** The process id of the backend that answers. */
  pid: number
  /** Connections that PostgreSQL allows to roles other than superusers. */
  capacity: number
}

/** Warns of too few connections, of a pooler without DATABASE_DIRECT_URL, and of missing timeouts. */
export async function warnOfLimits(
  pool: pg.Pool,
  { databaseConnections, databaseDirectUrl }: Config,
  log: { warn: (line: string) => void },
): Promise<void> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<Limits>(LIMITS_QUERY)
    const [limits] = rows
    if (!limits) return
    if (databaseConnections > limits.capacity)
      log.warn(tooManyConnections(databaseConnections, limits.capacity))
    // A pooler makes up the process id that it reports to its clients.
    const isPooler = (client as unknown as { processID: number }).processID !== limits.pid
    if (isPooler && !databaseDirectUrl) log.warn(POOLER_WITHOUT_DIRECT_URL)
    const lacking = TIMEOUTS.filter((name) => limits[name] !== pool.options[name])
    if (lacking.length > 0) log.warn(lackingTimeouts(lacking.map((name) => `${name}=${pool.options[name]}`)))
  } finally {
    client.release()
  }
}

const LIMITS_QUERY = `
  select pg_backend_pid() as pid,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as capacity,
    ${TIMEOUTS.map((name) => `(select setting::int from pg_settings where name = '${name}') as ${name}`).join(', ')}`

const tooManyConnections = (planned: number, capacity: number) =>
  `This machine may open ${planned} database connections, but the database accepts only ${capacity}: ` +
  'set DATABASE_CONNECTIONS to this machine’s share, or lower WORKERS.'

const POOLER_WITHOUT_DIRECT_URL =
  'DATABASE_URL points to a pooler: if it shares connections between transactions, nodes do not hear of each ' +
  "other's changes and migrations are not safe. Set DATABASE_DIRECT_URL to the database itself."

const lackingTimeouts = (settings: readonly string[]) =>
  `Connections of DATABASE_URL lack ${settings.join(', ')}, so slow statements are not canceled: ` +
  'set them in the connect_query of the pooler, or for the role.'
