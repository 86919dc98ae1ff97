import { sql } from 'kysely'
import { type Database, inTransaction } from '../platform/database.ts'
import type { Line } from './chain.ts'
import { journalColumns, detailsOf } from './entries.ts'
import { record } from './record.ts'

/** Entries read at once: what an export holds in memory, however long the journal is. */
const AT_ONCE = 500

type Export = {
  actor: string | null
  network?: string
  /** Without them the file holds nothing personal, and can be verified all the same. */
  withDetails: boolean
}

/**
 * Everything that is sealed by now, in order. That it was exported is recorded first.
 * @returns the entries one by one, read while they are asked for, with short queries.
 */
export async function exportJournal(
  db: Database,
  { actor, network, withDetails }: Export,
): Promise<AsyncGenerator<Line>> {
  const entries = await inTransaction(db, async (tx) => {
    const { head } = await tx
      .selectFrom('journal_seals')
      .select(({ fn }) => fn.coalesce(fn.max('number'), sql<number>`0`).as('head'))
      .executeTakeFirstOrThrow()
    const after = { entries: head, details: withDetails }
    await record(tx, { actor, action: 'journal.exported', after, network })
    return head
  })
  return readUpTo(db, entries, withDetails)
}

async function* readUpTo(db: Database, end: number, withDetails: boolean): AsyncGenerator<Line> {
  for (let from = 1; from <= end; from += AT_ONCE) {
    yield* await readLines(db, from, Math.min(end, from + AT_ONCE - 1), withDetails)
  }
}

async function readLines(db: Database, from: number, to: number, withDetails: boolean): Promise<Line[]> {
  const rows = await db
    .selectFrom('journal_seals as s')
    .innerJoin('journal as j', 'j.id', 's.entry')
    .leftJoin('journal_seals as p', 'p.number', 's.previous')
    .leftJoin('journal_details as d', (join) =>
      join.onRef('d.entry', '=', 'j.id').on(sql<boolean>`${withDetails}`),
    )
    .select(['s.number', sql<string>`coalesce(encode(p.hash, 'hex'), repeat('0', 64))`.as('previous')])
    .select(journalColumns)
    .select(sql<string>`encode(s.hash, 'hex')`.as('hash'))
    .select(detailsOf)
    .where('s.number', '>=', from)
    .where('s.number', '<=', to)
    .orderBy('s.number')
    .execute()
  return rows.map(({ salt, content, ...sealed }) => ({
    ...sealed,
    ...(salt === null ? {} : { details: { salt, content } }),
  }))
}
