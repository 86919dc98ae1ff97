import { sql } from 'kysely'

// Times by the database's clock, so that all nodes agree on what has expired.

/** When the transaction began. */
export const NOW = sql<Date>`now()`

/** @param interval of SQL, such as `10 minutes`; never from a request. */
export const fromNow = (interval: string) => sql<Date>`now() + ${sql.lit(interval)}::interval`

export const ago = (interval: string) => sql<Date>`now() - ${sql.lit(interval)}::interval`
