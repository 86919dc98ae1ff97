import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, Tx } from './database.ts'

/** Reads whose result is the same for all visitors, and may come from a read replica. */
export type PublicReads = {
  /** Runs a read-only query on the replica, or on the primary if the replica lags, fails or is missing. */
  read<T>(query: (db: Database) => Promise<T>): Promise<T>
  /** Reads that begin after this call see all that was committed before it, on any node. */
  recordWrite(): void
  counts(): { replica: number; primary: number }
}

/** A public read sees whatever was committed longer ago than this. */
export const MAX_STALENESS_MS = 500
/** For how long the replica is not asked after a failure, so that not every visitor waits for it. */
const RETRY_AFTER_MS = 5_000

type Replica = {
  db: Database
  /** Receives the failure after which the replica is not asked for five seconds. */
  onError: (error: unknown) => void
  /** Monotonic clock in milliseconds. */
  now?: () => number
}

/**
 * Reads from the replica while it is at most half a second behind, and otherwise from the primary. The
 * primary says how far its log has grown, and the replica must have replayed that much. So the servers'
 * clocks do not matter, and an idle primary does not look like lag. The transaction that reads checks this,
 * because several replicas may share an address.
 */
export function createPublicReads(primary: Database, replica?: Replica): PublicReads {
  const counts = { replica: 0, primary: 0 }
  const countFor = <T>(server: keyof typeof counts, value: T) => {
    counts[server] += 1
    return value
  }
  const fromPrimary = async <T>(query: (db: Database) => Promise<T>) =>
    countFor('primary', await query(primary))
  if (!replica) return { read: fromPrimary, recordWrite() {}, counts: () => ({ ...counts }) }
  const { db, onError, now = () => performance.now() } = replica
  const positions = createPositions(primary, now)
  let pausedUntil = -Infinity
  return {
    async read(query) {
      if (now() < pausedUntil) return fromPrimary(query)
      const position = await positions.required()
      try {
        return countFor('replica', await readOnceReplayed(db, position, query))
      } catch (error) {
        // Of several reads that fail at once, only the first reports its failure.
        if (!(error instanceof Lagging) && now() >= pausedUntil) {
          pausedUntil = now() + RETRY_AFTER_MS
          onError(error)
        }
        return fromPrimary(query)
      }
    },
    recordWrite: positions.forget,
    counts: () => ({ ...counts }),
  }
}

/** Asks how far the primary's log has grown, and remembers the answers for as long as a read may be stale. */
function createPositions(primary: Database, now: () => number) {
  type Position = { askedAt: number; lsn: Promise<string> }
  let known: Position[] = []
  const ask = (askedAt: number) => {
    const position = { askedAt, lsn: readPosition(primary) }
    position.lsn.catch(() => (known = known.filter((other) => other !== position)))
    known.push(position)
  }
  return {
    /** The log position the replica must have reached: the primary's oldest answer that is recent enough. */
    required(): Promise<string> {
      const time = now()
      known = known.filter(({ askedAt }) => time - askedAt <= MAX_STALENESS_MS)
      const newest = known.at(-1)
      // Asks before the oldest answer is too old, so that the replica has time to reach the next one.
      if (!newest || time - newest.askedAt > MAX_STALENESS_MS / 2) ask(time)
      return known[0]?.lsn ?? Promise.reject(new Error('No position was asked for.'))
    },
    forget(): void {
      known = []
    },
  }
}

/** Greater than every position in a log, so no replica has reached it. */
const MAX_POSITION = 'FFFFFFFF/FFFFFFFF'

/** How far the log is flushed: no replica gets more of it, and it contains every acknowledged commit. */
async function readPosition(primary: Database): Promise<string> {
  const { rows } = await sql<{ lsn: string }>`select pg_current_wal_flush_lsn()::text as lsn`.execute(primary)
  return rows[0]?.lsn ?? MAX_POSITION
}

/** The replica has not replayed enough, follows no primary, or is a primary itself. */
class Lagging extends Error {}

function readOnceReplayed<T>(db: Database, position: string, query: (db: Tx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => {
      await untilReplayed(tx, position)
      // In `read committed`, a query sees all that was replayed before it began.
      return query(tx)
    })
}

/** Right after a change, the replica is often a moment behind, so it is checked several times. */
const CHECKS = 5
const CHECK_INTERVAL_MS = 10

async function untilReplayed(tx: Tx, position: string): Promise<void> {
  for (let check = 1; check <= CHECKS; check += 1) {
    // Without a WAL receiver it is a primary, or its log may have diverged from the primary's in a failover.
    const { rows } = await sql<{ isFollowing: boolean; hasReplayed: boolean | null }>`
      select exists (select from pg_stat_wal_receiver) as "isFollowing",
        pg_last_wal_replay_lsn() >= ${position}::pg_lsn as "hasReplayed"`.execute(tx)
    if (!rows[0]?.isFollowing) break
    if (rows[0].hasReplayed) return
    await pause(CHECK_INTERVAL_MS)
  }
  throw new Lagging()
}
