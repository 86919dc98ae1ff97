import { sql } from 'kysely'
import type { JournalEntry, journal } from '#contract/journal.ts'
import type { QueryOf } from '#contract/protocol/endpoint.ts'
import type { Database } from '#server/platform/database/database.ts'
import { pageOf } from '#server/platform/page.ts'

/** UTC to the microsecond, independent of the session's time zone. */
const AT = sql<string>`to_char(j.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** The sealed columns of `journal as j`, in the form that is hashed. */
export const journalColumns = [
  'j.id',
  AT.as('at'),
  'j.actor',
  'j.action',
  'j.subject',
  sql<Record<string, unknown> | null>`j.before`.as('before'),
  sql<Record<string, unknown> | null>`j.after`.as('after'),
  sql<string | null>`encode(j.commitment, 'hex')`.as('commitment'),
] as const

export const selectEntries = (db: Database) =>
  db
    .selectFrom('journal as j')
    .leftJoin('journal_seals as s', 's.entry', 'j.id')
    .leftJoin('journal_details as d', 'd.entry', 'j.id')
    .leftJoin('users as u', 'u.id', 'j.actor')
    .select(journalColumns)
    // Null if erased or never recorded.
    .select(sql<Record<string, unknown> | null>`d.content`.as('details'))
    .select(['s.number', sql<string | null>`encode(s.hash, 'hex')`.as('hash'), 'u.username as actorName'])
    .orderBy('j.at', 'desc')
    .orderBy('j.id', 'desc')

/** Newest first. `next` is the cursor of the next page, null at the end. */
export async function readJournal(
  db: Database,
  { action, actor, subject, from, to, cursor, limit }: QueryOf<typeof journal>,
): Promise<{ data: JournalEntry[]; next: string | null }> {
  // One entry more than the page has tells whether there is another page.
  let entries = selectEntries(db).limit(limit + 1)
  if (action) entries = entries.where('j.action', '=', action)
  if (actor) entries = entries.where('j.actor', '=', actor)
  if (subject) entries = entries.where('j.subject', '=', subject)
  if (from) entries = entries.where('j.at', '>=', from)
  if (to) entries = entries.where('j.at', '<', to)
  // Entries are never deleted, so the id of the last one on a page is a stable cursor.
  if (cursor)
    entries = entries.where(
      sql<boolean>`(j.at, j.id) < (select c.at, c.id from journal c where c.id = ${cursor})`,
    )
  return pageOf(await entries.execute(), limit, ({ id }) => id)
}
