import { sql } from 'kysely'
import type { PublishedHead } from '#contract/journal.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { PublicReads } from '#server/platform/database/public-reads.ts'

/** Time between queries while the database fails. Otherwise, every visitor would wait for a query to fail. */
const RETRY_AFTER_MS = 5_000

export type ReadHeads = () => Promise<readonly PublishedHead[]>

/**
 * Creates a cached reader of the heads (the hashes that the journal publishes daily), newest first. It
 * returns the same array until there is a new head, and the cached heads while the database is unavailable.
 * @param maxAgeMs how long the cache is fresh.
 */
export function createHeadReader(publicReads: Pick<PublicReads, 'read'>, maxAgeMs = 60_000): ReadHeads {
  let cached: readonly PublishedHead[] | undefined
  let pending: Promise<readonly PublishedHead[]> | undefined
  let freshUntil = 0
  const refresh = async () => {
    try {
      const heads = await publicReads.read(readHeads)
      freshUntil = performance.now() + maxAgeMs
      // Heads are never changed or removed, so an equal count means equal heads.
      if (heads.length !== cached?.length) cached = heads
      return cached
    } catch (error) {
      if (!cached) throw error
      freshUntil = performance.now() + Math.min(RETRY_AFTER_MS, maxAgeMs)
      return cached
    } finally {
      pending = undefined
    }
  }
  return async () => {
    if (cached && performance.now() < freshUntil) return cached
    pending ??= refresh()
    return pending
  }
}

function readHeads(db: Database): Promise<PublishedHead[]> {
  return db
    .selectFrom('journal_heads')
    .select([
      sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day'),
      'number',
      sql<string>`encode(hash, 'hex')`.as('hash'),
    ])
    .orderBy('journal_heads.day', 'desc')
    .execute()
}

/** Compares each head with the entry that it names. `mismatches` has the days that differ, oldest first. */
export async function compareHeads(db: Database): Promise<{ published: number; mismatches: string[] }> {
  const { rows } = await sql<{ day: string; matches: boolean }>`
    select to_char(h.day, 'YYYY-MM-DD') as day, s.hash is not distinct from h.hash as matches
    from journal_heads h left join journal_seals s on s.number = h.number order by h.day`.execute(db)
  return { published: rows.length, mismatches: rows.filter(({ matches }) => !matches).map(({ day }) => day) }
}
