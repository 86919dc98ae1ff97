import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Acquisition, acquireCluster } from './embedded/acquire-cluster.ts'
import { OWNER_ROLE, SERVING_ROLE } from './embedded/cluster.ts'
import { locateCluster, type ClusterLocation, removeCluster } from './embedded/cluster-location.ts'
import { stopPostmaster } from './embedded/postmaster.ts'

export type EmbeddedPostgres = {
  /** Connection strings for `pg`, over the Unix socket: of the role that serves, and of the one that migrates. */
  url: string
  ownerUrl: string
  /** Ends it cleanly, within five seconds; does nothing when another process owns it. */
  stop: () => Promise<void>
  /** The same for when there is no time: the next start repairs what was going on. Nothing that was committed is lost. */
  cut: () => Promise<void>
}

type Options = {
  dataDir: string
  /** How many it is to serve; PostgreSQL's own default at least. */
  connections?: number
  /** Hears one line for each thing an operator may want to know. */
  log: (line: string) => void
}

/** How long a dying owner of the same DATA_DIR is waited for. */
const PATIENCE = 10_000

/**
 * Starts the PostgreSQL of a DATA_DIR and keeps it running: should it die, it is started again.
 * @throws with one line that says what to do when another process uses the DATA_DIR.
 */
export async function startEmbeddedPostgres({
  dataDir,
  connections,
  log,
}: Options): Promise<EmbeddedPostgres> {
  const place = await locateCluster(dataDir, log, connections)
  const claimed = await acquireCluster(place, PATIENCE)
  if ('owner' in claimed) return keep(place, claimed.owner, log)
  throw new Error(
    `DATA_DIR ${dataDir} is in use by ${claimed.takenBy}: stop that one, or start this one with another DATA_DIR.`,
  )
}

/** For commands that run beside a live server as well as without one: uses the running PostgreSQL, or its own. */
export async function openEmbeddedPostgres({ dataDir, log }: Options): Promise<EmbeddedPostgres> {
  const place = await locateCluster(dataDir, log)
  const claimed = await acquireCluster(place, 0)
  if ('owner' in claimed) return keep(place, claimed.owner, log)
  await makeDatabase(place)
  return { ...urlsOf(place), stop: async () => {}, cut: async () => {} }
}

/** Deletes the database of a DATA_DIR for good, also where it lies elsewhere because root started it. */
export const removeEmbeddedPostgres = removeCluster

async function keep(
  place: ClusterLocation,
  first: pg.Client,
  log: Options['log'],
): Promise<EmbeddedPostgres> {
  let stopping = false
  let recovery = Promise.resolve()
  const attend = (owner: pg.Client) =>
    owner.once('end', () => {
      if (!stopping)
        recovery = recover().catch((error: unknown) => log(`PostgreSQL is lost: ${String(error)}`))
    })
  const recover = async () => {
    log('PostgreSQL went away; starting it again')
    const owner = await claimAgain(place, log, () => stopping)
    if (owner) attend(owner)
    if (owner) log('PostgreSQL is back')
  }
  attend(first)
  await makeDatabase(place)
  return {
    ...urlsOf(place),
    async stop() {
      stopping = true
      await recovery
      await stopPostmaster(place.cluster)
    },
    async cut() {
      stopping = true
      await stopPostmaster(place.cluster, { atOnce: true })
    },
  }
}

const BACK_OFF = [0, 200, 500, 1_000, 2_000, 5_000]

async function claimAgain(place: ClusterLocation, log: Options['log'], isStopping: () => boolean) {
  for (let attempt = 0; !isStopping(); attempt += 1) {
    await pause(BACK_OFF[attempt] ?? BACK_OFF.at(-1))
    const claimed = await acquireCluster(place, PATIENCE).catch((error: unknown): Acquisition => ({
      takenBy: String(error),
    }))
    if ('owner' in claimed) return claimed.owner
    log(`PostgreSQL is still away: ${claimed.takenBy}`)
  }
  return undefined
}

const DATABASE = 'dropwright'

async function makeDatabase(place: ClusterLocation): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(place, OWNER_ROLE, 'postgres') })
  await client.connect()
  try {
    const { rows } = await client.query<{ statement: string }>(MISSING, [DATABASE, SERVING_ROLE])
    for (const { statement } of rows) await client.query(statement).catch(unlessMade)
  } finally {
    await client.end()
  }
}

/** A cluster of an earlier version has the database, but one role only. */
const MISSING = `
  select format('create database %I', $1::text) as statement
  where not exists (select from pg_database where datname = $1)
  union all
  select format('create role %I login', $2::text)
  where not exists (select from pg_roles where rolname = $2)`

/** 42P04, 42710, 23505: a command beside us made it in this moment. */
function unlessMade(error: unknown): void {
  if (!(error instanceof pg.DatabaseError && /^(42P04|42710|23505)$/.test(error.code ?? ''))) throw error
}

const urlsOf = (place: ClusterLocation) => ({
  url: urlOf(place, SERVING_ROLE, DATABASE),
  ownerUrl: urlOf(place, OWNER_ROLE, DATABASE),
})

function urlOf({ socket }: ClusterLocation, role: string, database: string): string {
  return `postgresql://${role}@localhost/${database}?host=${encodeURIComponent(socket)}`
}
