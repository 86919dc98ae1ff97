import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, Tx } from './database.ts'

/** Reads that visitors share: they may come from a read replica. */
export type PublicReads = {
  /** `query` reads only. It runs again on the primary if the replica lags, fails or is not there. */
  read<T>(query: (db: Database) => Promise<T>): Promise<T>
  /** Reads that begin after this call see all that was committed before it, on any node. */
  recordWrite(): void
  /** How many reads each server has answered. */
  counts(): { replica: number; primary: number }
}

/** Milliseconds: what was committed earlier is in every public read. Answers are then kept for as long again. */
export const MAX_STALENESS = 500
/** Milliseconds without the replica after it failed, so that visitors do not wait for it each time. */
const RETRY_AFTER_MS = 5_000

export type Replica = {
  db: Database
  /** Gets a failure of the replica, at most one per rest. */
  onError: (error: unknown) => void
  now?: () => number
}

/**
 * Reads from the replica what is at most half a second old, and from the primary otherwise. The clocks of the servers do
 * not matter, nor does an idle primary look like lag: the primary says how far its log has grown, and the replica must
 * have replayed that much. It is asked in the transaction that reads, since several replicas may share an address.
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
  let restsUntil = -Infinity
  return {
    async read(query) {
      if (now() < restsUntil) return fromPrimary(query)
      const position = await positions.required()
      try {
        return countFor('replica', await readBehind(db, position, query))
      } catch (error) {
        if (!(error instanceof Lagging)) {
          restsUntil = now() + RETRY_AFTER_MS
          onError(error)
        }
        return fromPrimary(query)
      }
    },
    recordWrite: positions.forget,
    counts: () => ({ ...counts }),
  }
}

/** Asks how far the primary's log has grown, and remembers it for as long as a read may be stale. */
function createPositions(primary: Database, now: () => number) {
  type Asked = { at: number; lsn: Promise<string> }
  let asked: Asked[] = []
  const ask = (at: number) => {
    const entry = { at, lsn: readPosition(primary) }
    entry.lsn.catch(() => (asked = asked.filter((other) => other !== entry)))
    asked.push(entry)
  }
  return {
    /** The earliest log position a read may be based on: the oldest answer from the primary that is still recent enough. */
    required(): Promise<string> {
      const time = now()
      asked = asked.filter(({ at }) => time - at <= MAX_STALENESS)
      const newest = asked.at(-1)
      // Early enough for the next read to find a replica that has got there.
      if (!newest || time - newest.at > MAX_STALENESS / 2) ask(time)
      return asked[0]?.lsn ?? Promise.reject(new Error('No position was asked for.'))
    },
    forget(): void {
      asked = []
    },
  }
}

/** The flushed position, because replicas are sent no more than that, and no commit is acknowledged before it. */
async function readPosition(primary: Database): Promise<string> {
  const { rows } = await sql<{ lsn: string }>`select pg_current_wal_flush_lsn()::text as lsn`.execute(primary)
  return rows[0]?.lsn ?? 'FFFFFFFF/FFFFFFFF'
}

/** The replica has not replayed enough, follows no primary, or is one itself. */
class Lagging extends Error {}

function readBehind<T>(db: Database, position: string, query: (db: Tx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => {
      await untilReplayed(tx, position)
      // Read committed: sees at least what was replayed until now.
      return query(tx)
    })
}

/** Checks and milliseconds between them: a read that follows a change is often a moment ahead of the replica. */
const CHECKS = 5
const CHECK_INTERVAL = 10

async function untilReplayed(tx: Tx, position: string): Promise<void> {
  for (let check = 1; check <= CHECKS; check += 1) {
    // Without a receiver it is a primary, or its log may have parted from the primary's in a failover.
    const { rows } = await sql<{ isFollowing: boolean; hasReplayed: boolean | null }>`
      select exists (select from pg_stat_wal_receiver) as "isFollowing",
        pg_last_wal_replay_lsn() >= ${position}::pg_lsn as "hasReplayed"`.execute(tx)
    if (!rows[0]?.isFollowing) break
    if (rows[0].hasReplayed) return
    await pause(CHECK_INTERVAL)
  }
  throw new Lagging()
}
