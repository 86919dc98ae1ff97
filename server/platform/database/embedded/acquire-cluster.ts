import { access, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { createCluster, OWNER_ROLE } from './cluster.ts'
import type { ClusterLocation } from './cluster-location.ts'
import { commandLine, findPostmaster, spawnPostmaster, stopPostmaster } from './postmaster.ts'

const POLL_MS = 25
/** An orphaned postmaster (one whose parent was killed) that does not answer for this long counts as hung. */
const HUNG_AFTER_MS = 5_000
/** Allows for a long crash recovery. */
const READY_TIMEOUT_MS = 120_000
/** A single failure may just be a lost race against another start. */
const MAX_STARTS = 3

export type Acquisition = { owner: pg.Client } | { takenBy: string }

/**
 * Becomes the owner of a running PostgreSQL: starts one, adopts an orphan, or replaces one that hangs or was
 * started by another version. Creates the cluster (the contents of PostgreSQL's data directory) if missing.
 * @param ownerWaitMs how long another owner has to exit.
 * @param mustExist makes a missing cluster an error: one that disappears in use must not become an empty one.
 * @returns the connection that holds the ownership lock, or the current owner.
 */
export async function acquireCluster(
  location: ClusterLocation,
  { ownerWaitMs, mustExist = false }: { ownerWaitMs: number; mustExist?: boolean },
): Promise<Acquisition> {
  if (mustExist) await access(path.join(location.cluster, 'PG_VERSION'))
  else await createCluster(location)
  const startedAt = Date.now()
  let silentSince = Date.now()
  let starts = 0
  while (Date.now() - startedAt < READY_TIMEOUT_MS) {
    const result = await tryToOwn(location.socket)
    if (result.is !== 'silent') silentSince = Date.now()
    if (result.is === 'mine') {
      if (await isAdoptable(location)) return { owner: result.client }
      await stopPostmaster(location.cluster) // Also ends the client.
      continue
    }
    if (result.is === 'taken' && Date.now() - startedAt >= ownerWaitMs) return { takenBy: result.by }
    if (result.is === 'silent') {
      const running = await findPostmaster(location.cluster)
      const isHung = Date.now() - silentSince > HUNG_AFTER_MS
      // The process that started it is alive, so it is no orphan.
      if (running?.isAttended && isHung)
        return { takenBy: `the process that started PostgreSQL ${running.pid}` }
      if (running && isHung) await stopPostmaster(location.cluster)
      if (!running) {
        starts += 1
        await start(location, starts)
        // A new postmaster gets the full time to answer.
        silentSince = Date.now()
      }
    }
    await pause(POLL_MS)
  }
  throw new Error(`PostgreSQL was not ready after ${READY_TIMEOUT_MS / 1000} s; see ${location.log}`)
}

/** An orphan is adopted only if its command line equals ours, apart from the pid in `cluster_name`. */
async function isAdoptable(location: ClusterLocation): Promise<boolean> {
  const running = await findPostmaster(location.cluster)
  const withoutPid = (command: string) => command.replace(/-\d+$/, '')
  return running !== undefined && withoutPid(running.command) === withoutPid(commandLine(location).join(' '))
}

async function start(location: ClusterLocation, attempt: number): Promise<void> {
  if (attempt > MAX_STARTS) {
    const log = await readFile(location.log, 'utf8').catch(() => '')
    throw new Error(`PostgreSQL does not start: ${whyItEnded(log) || `it wrote nothing to ${location.log}`}`)
  }
  // After a crash the old shared memory takes a moment to disappear.
  await pause((attempt - 1) * 500)
  // Stale after a crash: PostgreSQL would mistake a process that reuses the pid for a server and not start.
  await rm(path.join(location.cluster, 'postmaster.pid'), { force: true })
  await rm(path.join(location.socket, '.s.PGSQL.5432.lock'), { force: true })
  const { exited } = await spawnPostmaster(location)
  const end = Date.now() + HUNG_AFTER_MS
  const postmaster = { hasExited: false }
  void exited.then(() => (postmaster.hasExited = true))
  while (!postmaster.hasExited && Date.now() < end && !(await findPostmaster(location.cluster)))
    await pause(POLL_MS)
}

/** Our attempts to connect, which fail while PostgreSQL recovers, are no reason. */
const REASON = /^.*?(FATAL|PANIC): {2}(?!the database system is )/
const EXPLANATION = /^.*?(DETAIL|HINT): {2}/

/** The reason why the last start in PostgreSQL's log ended; the end of the log if it names none. */
export function whyItEnded(log: string): string {
  const lines = log.trim().split('\n')
  const lastStart = lines.findLastIndex((line) => line.includes('starting PostgreSQL'))
  const reason = lines.findLastIndex((line, index) => index > lastStart && REASON.test(line))
  if (reason === -1) return lines.slice(-4).join(' | ')
  const explanations = lines.slice(reason + 1, reason + 3).filter((line) => EXPLANATION.test(line))
  const parts = [
    lines[reason]?.replace(REASON, ''),
    ...explanations.map((line) => line.replace(EXPLANATION, '')),
  ]
  return parts.join('. ')
}

/** Arbitrary, but unique in the maintenance database. */
const OWNER_LOCK = 5_369_001

type OwnershipAttempt =
  /** `client` owns the cluster for as long as it is connected. */
  | { is: 'mine'; client: pg.Client }
  /** Another live process owns it. */
  | { is: 'taken'; by: string }
  /** Busy: starting, stopping or out of connections. Silent: nothing answers. */
  | { is: 'busy' | 'silent' }

/** Ownership is a session-level advisory lock, which ends with its holder's process and cannot go stale. */
async function tryToOwn(socket: string): Promise<OwnershipAttempt> {
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
    const statement = 'select pg_try_advisory_lock($1) as "isLocked"'
    const { rows } = await client.query<{ isLocked: boolean }>(statement, [OWNER_LOCK])
    if (rows[0]?.isLocked) return { is: 'mine', client }
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

function classify(error: unknown): OwnershipAttempt {
  // 57P..: starting up or shutting down; 53300: too many connections.
  if (error instanceof pg.DatabaseError && /^(57P|53)/.test(error.code ?? '')) return { is: 'busy' }
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOENT' || code === 'ECONNREFUSED') return { is: 'silent' }
  if (error instanceof pg.DatabaseError) throw error
  // Reset during the handshake, or timed out.
  return { is: code === 'ECONNRESET' || code === 'EPIPE' ? 'busy' : 'silent' }
}
