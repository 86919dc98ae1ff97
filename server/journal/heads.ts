import { sql } from 'kysely'
import type { PublishedHead } from '#contract/journal.ts'
import type { Database } from '../platform/database.ts'

export type ReadHeads = () => Promise<readonly PublishedHead[]>

/**
 * What was published, newest first. While nothing new came it is the same array. When the database is away, what is
 * known stays.
 * @param keep milliseconds for which the database is not asked again, however many want it. A head comes once a day.
 */
export function createHeadReader(db: Database, keep = 60_000): ReadHeads {
  let known: readonly PublishedHead[] | undefined
  let asking: Promise<readonly PublishedHead[]> | undefined
  let fresh = 0
  const ask = async () => {
    try {
      const heads = await readHeads(db)
      fresh = performance.now() + keep
      return (known = heads.length === known?.length ? known : heads)
    } catch (error) {
      if (!known) throw error
      return known
    } finally {
      asking = undefined
    }
  }
  return () => (known && performance.now() < fresh ? Promise.resolve(known) : (asking ??= ask()))
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
