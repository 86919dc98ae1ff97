import { sql } from 'kysely'
import type { JournalEntry, journal } from '#contract/journal.ts'
import type { QueryOf } from '#contract/endpoint.ts'
import type { Database } from '../platform/database.ts'
import { journalColumns, detailsOf } from './entries.ts'

type Asked = QueryOf<typeof journal>

/** A page of the journal, newest first; `next` is the cursor of the one after it, null at the end. */
export async function readJournal(
  db: Database,
  asked: Asked,
): Promise<{ data: JournalEntry[]; next: string | null }> {
  const rows = await filtered(db, asked)
    .limit(asked.limit + 1)
    .execute()
  const data = rows.slice(0, asked.limit).map(({ content: details, ...row }) => ({ ...row, details }))
  return { data, next: rows.length > asked.limit ? (data.at(-1)?.id ?? null) : null }
}

function filtered(db: Database, { action, actor, subject, from, to, cursor }: Asked) {
  let query = db
    .selectFrom('journal as j')
    .leftJoin('journal_seals as s', 's.entry', 'j.id')
    .leftJoin('journal_details as d', 'd.entry', 'j.id')
    .leftJoin('users as u', 'u.id', 'j.actor')
    .select(journalColumns)
    .select(detailsOf)
    .select(['s.number', sql<string | null>`encode(s.hash, 'hex')`.as('hash'), 'u.username as actorName'])
    .orderBy('j.at', 'desc')
    .orderBy('j.id', 'desc')
  if (action) query = query.where('j.action', '=', action)
  if (actor) query = query.where('j.actor', '=', actor)
  if (subject) query = query.where('j.subject', '=', subject)
  if (from) query = query.where('j.at', '>=', from)
  if (to) query = query.where('j.at', '<', to)
  // Entries are for ever, so the last one of a page is as good as a bookmark.
  if (cursor)
    query = query.where(
      sql<boolean>`(j.at, j.id) < (select c.at, c.id from journal c where c.id = ${cursor})`,
    )
  return query
}
