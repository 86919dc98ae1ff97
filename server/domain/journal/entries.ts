import { sql } from 'kysely'

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

/** The columns of `journal_details as d`; null if erased or never recorded. */
export const detailColumns = [
  sql<string | null>`encode(d.salt, 'hex')`.as('salt'),
  sql<Record<string, unknown> | null>`d.content`.as('content'),
] as const
