import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Acquisition, acquireCluster } from './embedded/acquire-cluster.ts'
import { OWNER_ROLE, SERVING_ROLE } from './embedded/cluster.ts'
import { locateCluster, type ClusterLocation, removeCluster } from './embedded/cluster-location.ts'
import { stopPostmaster } from './embedded/postmaster.ts'

export type EmbeddedPostgres = {
  /** Connection strings over the Unix socket, for the serving and for the owner role. */
  url: string
  ownerUrl: string
  /** Shuts down within five seconds, cleanly if possible. Leaves another process's cluster running. */
  stop: () => Promise<void>
  /** Shuts down immediately; the next start runs crash recovery. Committed data is safe. */
  stopImmediately: () => Promise<void>
}

type Options = {
  dataDir: string
  /** How many connections PostgreSQL has to allow; it allows at least its default. */
  connections?: number
  /** How long to wait for a previous owner of the DATA_DIR to exit. */
  ownerWaitMs?: number
  log: (line: string) => void
}

const OWNER_WAIT_MS = 10_000

/** Starts a DATA_DIR's PostgreSQL and restarts it if it dies. @throws if another process uses the folder. */
export async function startEmbeddedPostgres({
  dataDir,
  connections,
  ownerWaitMs = OWNER_WAIT_MS,
  log,
}: Options): Promise<EmbeddedPostgres> {
  const location = await locateCluster(dataDir, log, connections)
  const acquired = await acquireCluster(location, { ownerWaitMs })
  if ('owner' in acquired) return supervise(location, acquired.owner, log)
  throw new Error(
    `DATA_DIR ${dataDir} is in use by ${acquired.takenBy}: stop that one, or start this one with another DATA_DIR.`,
  )
}

/** For commands: uses the PostgreSQL of a running server, or starts its own. */
export async function openEmbeddedPostgres({ dataDir, log }: Options): Promise<EmbeddedPostgres> {
  const location = await locateCluster(dataDir, log)
  const acquired = await acquireCluster(location, { ownerWaitMs: 0 })
  if ('owner' in acquired) return supervise(location, acquired.owner, log)
  await createDatabase(location)
  return { ...urlsOf(location), stop: async () => {}, stopImmediately: async () => {} }
}

/** Deletes the database of a DATA_DIR, including one that root keeps elsewhere. */
export const removeEmbeddedPostgres = removeCluster

async function supervise(
  location: ClusterLocation,
  firstOwner: pg.Client,
  log: Options['log'],
): Promise<EmbeddedPostgres> {
  let isStopping = false
  let recovery = Promise.resolve()
  const watch = (owner: pg.Client) =>
    owner.once('end', () => {
      if (!isStopping)
        recovery = recover().catch((error: unknown) =>
          log(`PostgreSQL could not be restarted: ${String(error)}`),
        )
    })
  const recover = async () => {
    log('PostgreSQL has stopped; restarting it')
    const owner = await reacquire(location, log, () => isStopping)
    if (!owner) return
    watch(owner)
    log('PostgreSQL has restarted')
  }
  const stop = async () => {
    isStopping = true
    await recovery
    await stopPostmaster(location.cluster)
  }
  watch(firstOwner)
  try {
    await createDatabase(location)
  } catch (error) {
    // The caller gets an error, and so cannot stop PostgreSQL.
    await stop()
    throw error
  }
  return {
    ...urlsOf(location),
    stop,
    async stopImmediately() {
      isStopping = true
      await stopPostmaster(location.cluster, { isImmediate: true })
    },
  }
}

const BACK_OFF_MS = [0, 200, 500, 1_000, 2_000, 5_000]

async function reacquire(location: ClusterLocation, log: Options['log'], isStopping: () => boolean) {
  for (let attempt = 0; !isStopping(); attempt += 1) {
    await pause(BACK_OFF_MS[attempt] ?? BACK_OFF_MS.at(-1))
    const acquired = await acquireCluster(location, { ownerWaitMs: OWNER_WAIT_MS, mustExist: true }).catch(
      (error: unknown): Acquisition => ({ takenBy: String(error) }),
    )
    if ('owner' in acquired) return acquired.owner
    log(`PostgreSQL has not restarted yet: ${acquired.takenBy}`)
  }
  return undefined
}

const DATABASE = 'dropwright'

async function createDatabase(location: ClusterLocation): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(location, OWNER_ROLE, 'postgres') })
  await client.connect()
  try {
    const { rows } = await client.query<{ statement: string }>(MISSING_OBJECTS, [DATABASE, SERVING_ROLE])
    for (const { statement } of rows) await client.query(statement).catch(ignoreExisting)
  } finally {
    await client.end()
  }
}

/** Statements that create what is missing: a cluster of an earlier version has one role only. */
const MISSING_OBJECTS = `
  select format('create database %I', $1::text) as statement
  where not exists (select from pg_database where datname = $1)
  union all
  select format('create role %I login', $2::text)
  where not exists (select from pg_roles where rolname = $2)`

/** Ignores a duplicate database, object or key: another process has created it at the same time. */
function ignoreExisting(error: unknown): void {
  if (!(error instanceof pg.DatabaseError && /^(42P04|42710|23505)$/.test(error.code ?? ''))) throw error
}

const urlsOf = (location: ClusterLocation) => ({
  url: urlOf(location, SERVING_ROLE, DATABASE),
  ownerUrl: urlOf(location, OWNER_ROLE, DATABASE),
})

function urlOf({ socket }: ClusterLocation, role: string, database: string): string {
  return `postgresql://${role}@localhost/${database}?host=${encodeURIComponent(socket)}`
}
