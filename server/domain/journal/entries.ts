import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'

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

/** The entries `j` with their seals, details and actors, newest first. */
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
