import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Claim, claim } from './embedded/claim.ts'
import { ROLE } from './embedded/cluster.ts'
import { findPlace, type Place, removePlace } from './embedded/place.ts'
import { stopPostmaster } from './embedded/postmaster.ts'

export type EmbeddedPostgres = {
  /** A connection string for `pg`, over the Unix socket. */
  url: string
  /** Ends it cleanly, within five seconds; does nothing when another process owns it. */
  stop: () => Promise<void>
}

type Options = {
  dataDir: string
  /** Hears one line for each thing an operator may want to know. */
  log: (line: string) => void
}

/** How long a dying owner of the same DATA_DIR is waited for. */
const PATIENCE = 10_000

/**
 * Starts the PostgreSQL of a DATA_DIR and keeps it running: should it die, it is started again.
 * @throws with one line that says what to do when another process uses the DATA_DIR.
 */
export async function startEmbeddedPostgres({ dataDir, log }: Options): Promise<EmbeddedPostgres> {
  const place = await findPlace(dataDir, log)
  const claimed = await claim(place, PATIENCE)
  if ('owner' in claimed) return keep(place, claimed.owner, log)
  throw new Error(
    `DATA_DIR ${dataDir} is in use by ${claimed.takenBy}: stop that one, or start this one with another DATA_DIR.`,
  )
}

/** For commands that run beside a live server as well as without one: uses the running PostgreSQL, or its own. */
export async function openEmbeddedPostgres({ dataDir, log }: Options): Promise<EmbeddedPostgres> {
  const place = await findPlace(dataDir, log)
  const claimed = await claim(place, 0)
  if ('owner' in claimed) return keep(place, claimed.owner, log)
  await makeDatabase(place)
  return { url: urlOf(place, DATABASE), stop: async () => {} }
}

/** Deletes the database of a DATA_DIR for good, also where it lies elsewhere because root started it. */
export const removeEmbeddedPostgres = removePlace

async function keep(place: Place, first: pg.Client, log: Options['log']): Promise<EmbeddedPostgres> {
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
    url: urlOf(place, DATABASE),
    async stop() {
      stopping = true
      await recovery
      await stopPostmaster(place.cluster)
    },
  }
}

const BACK_OFF = [0, 200, 500, 1_000, 2_000, 5_000]

async function claimAgain(place: Place, log: Options['log'], isStopping: () => boolean) {
  for (let attempt = 0; !isStopping(); attempt += 1) {
    await pause(BACK_OFF[attempt] ?? BACK_OFF.at(-1))
    const claimed = await claim(place, PATIENCE).catch((error: unknown): Claim => ({
      takenBy: String(error),
    }))
    if ('owner' in claimed) return claimed.owner
    log(`PostgreSQL is still away: ${claimed.takenBy}`)
  }
  return undefined
}

const DATABASE = 'dropwright'

async function makeDatabase(place: Place): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(place, 'postgres') })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  } catch (error) {
    // 42P04, 23505: a command beside us made it in this moment.
    if (!(error instanceof pg.DatabaseError && /^(42P04|23505)$/.test(error.code ?? ''))) throw error
  } finally {
    await client.end()
  }
}

function urlOf({ socket }: Place, database: string): string {
  return `postgresql://${ROLE}@localhost/${database}?host=${encodeURIComponent(socket)}`
}
