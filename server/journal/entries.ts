import { sql } from 'kysely'

/** A moment as the chain has it: UTC to the microsecond, whatever the session's zone. */
const AT = sql<string>`to_char(j.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** The columns of `journal as j` that are sealed, in the shape that is hashed. */
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

/** Those of `journal_details as d`, null where they were erased or never there. */
export const detailsOf = [
  sql<string | null>`encode(d.salt, 'hex')`.as('salt'),
  sql<Record<string, unknown> | null>`d.content`.as('content'),
] as const
