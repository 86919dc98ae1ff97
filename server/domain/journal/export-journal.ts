import { sql } from 'kysely'
import { type Database, inTransaction } from '#server/platform/database/database.ts'
import { GENESIS, type Line } from './chain.ts'
import { journalColumns } from './read-journal.ts'
import { type Attribution, record } from './record.ts'

/** Entries per query. An export never holds more in memory. */
const BATCH_SIZE = 500

type Export = Attribution & {
  /** Without details the file holds no personal data and can still be verified. */
  withDetails: boolean
}

/** Records the export, then yields the entries sealed so far in order, in batches that are read on demand. */
export async function exportJournal(
  db: Database,
  { withDetails, ...by }: Export,
): Promise<AsyncGenerator<Line>> {
  const lastNumber = await inTransaction(db, async (tx) => {
    const last = await readLastNumber(tx)
    const after = { entries: last, details: withDetails }
    await record(tx, { ...by, action: 'journal.exported', after })
    return last
  })
  return readUpTo(db, lastNumber, withDetails)
}

async function readLastNumber(db: Database): Promise<number> {
  const { last } = await db
    .selectFrom('journal_seals')
    .select(({ fn }) => fn.coalesce(fn.max('number'), sql<number>`0`).as('last'))
    .executeTakeFirstOrThrow()
  return last
}

/** The entries sealed so far with their details, as JSON. Unlike {@link exportJournal}, records nothing. */
export async function* readSealedLines(db: Database): AsyncGenerator<string> {
  const withDetails = true
  for await (const line of readUpTo(db, await readLastNumber(db), withDetails)) yield JSON.stringify(line)
}

async function* readUpTo(db: Database, lastNumber: number, withDetails: boolean): AsyncGenerator<Line> {
  for (let from = 1; from <= lastNumber; from += BATCH_SIZE)
    yield* await readBatch(db, { from, to: Math.min(lastNumber, from + BATCH_SIZE - 1), withDetails })
}

/** The limits make PostgreSQL look up each row by its primary key. Plain joins would read whole tables. */
async function readBatch(
  db: Database,
  { from, to, withDetails }: { from: number; to: number; withDetails: boolean },
): Promise<Line[]> {
  const rows = await db
    .selectFrom('journal_seals as s')
    .innerJoinLateral(
      (query) => query.selectFrom('journal').selectAll().whereRef('id', '=', 's.entry').limit(1).as('j'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (query) =>
        query.selectFrom('journal_seals').selectAll().whereRef('number', '=', 's.previous').limit(1).as('p'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (query) =>
        query.selectFrom('journal_details').selectAll().whereRef('entry', '=', 's.entry').limit(1).as('d'),
      (join) => join.on(sql<boolean>`${withDetails}`),
    )
    .select(['s.number', sql<string>`coalesce(encode(p.hash, 'hex'), ${GENESIS})`.as('previous')])
    .select(journalColumns)
    .select(sql<string>`encode(s.hash, 'hex')`.as('hash'))
    .select([sql<string | null>`encode(d.salt, 'hex')`.as('salt'), 'd.content'])
    .where('s.number', '>=', from)
    .where('s.number', '<=', to)
    .orderBy('s.number')
    .execute()
  return rows.map(({ salt, content, ...sealed }) => ({
    ...sealed,
    ...(salt === null ? {} : { details: { salt, content } }),
  }))
}
