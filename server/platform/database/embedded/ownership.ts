import pg from 'pg'
import { OWNER_ROLE } from './cluster.ts'

/** Arbitrary, but unique in the maintenance database. */
const OWNER_LOCK = 5_369_001

/** Result of one connection attempt. */
export type OwnerConnection =
  /** `client` owns the cluster for as long as it is connected. */
  | { is: 'mine'; client: pg.Client }
  /** Another live process owns it. */
  | { is: 'taken'; by: string }
  /** Starting, stopping or out of connections: retry. */
  | { is: 'busy' }
  /** No answer. */
  | { is: 'silent' }

/**
 * Connects to the socket and tries to become the owner of the cluster. Ownership is a session-level advisory lock,
 * which ends with the process that holds it and cannot go stale.
 */
export async function connectToOwner(socket: string): Promise<OwnerConnection> {
  const client = new pg.Client({
    host: socket,
    user: OWNER_ROLE,
    database: 'postgres',
    application_name: `dropwright ${process.pid}`,
    connectionTimeoutMillis: 2_000,
    query_timeout: 4_000,
  })
  // Without a listener a lost connection would crash the process; the owner listens to 'end'.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      OWNER_LOCK,
    ])
    if (rows[0]?.mine) return { is: 'mine', client }
    const by = await ownerName(client)
    await client.end()
    return { is: 'taken', by }
  } catch (error) {
    client.end().catch(() => {})
    return classify(error)
  }
}

async function ownerName(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity where pid in
       (select pid from pg_locks where locktype = 'advisory' and objid = $1 and granted)`,
    [OWNER_LOCK],
  )
  return rows[0]?.name.replace('dropwright', 'process') ?? 'a process that is just ending'
}

function classify(error: unknown): OwnerConnection {
  // 57P..: starting up or shutting down; 53300: too many connections.
  if (error instanceof pg.DatabaseError && /^(57P|53)/.test(error.code ?? '')) return { is: 'busy' }
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOENT' || code === 'ECONNREFUSED') return { is: 'silent' }
  if (error instanceof pg.DatabaseError) throw error
  // Reset during the handshake, or timed out.
  return { is: code === 'ECONNRESET' || code === 'EPIPE' ? 'busy' : 'silent' }
}
