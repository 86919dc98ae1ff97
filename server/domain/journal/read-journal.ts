import { sql } from 'kysely'
import type { JournalEntry, journal } from '#contract/journal.ts'
import type { QueryOf } from '#contract/protocol/endpoint.ts'
import type { Database } from '#server/platform/database/database.ts'
import { pageOf } from '#server/platform/page.ts'
import { selectEntries } from './entries.ts'

type Query = QueryOf<typeof journal>

/** A page of the journal, newest first; `next` is the cursor of the next page, null at the end. */
export async function readJournal(
  db: Database,
  query: Query,
): Promise<{ data: JournalEntry[]; next: string | null }> {
  const rows = await selectMatching(db, query)
    .limit(query.limit + 1)
    .execute()
  return pageOf(rows, query.limit, ({ id }) => id)
}

function selectMatching(db: Database, { action, actor, subject, from, to, cursor }: Query) {
  let entries = selectEntries(db)
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
  return entries
}
