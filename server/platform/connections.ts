/** What a process that serves takes of the database: its pool, and the connection that asks for readiness. */
const POOL = { most: 12, least: 3 }
const PROBE = 1
/** With several processes, one more keeps the database and only migrates. */
export const KEEPER_POOL = 2
/** Commands run beside a server. */
export const COMMAND_POOL = 4

export type ConnectionPlan = {
  /** Connections of the pool of each process that serves. */
  pool: number
  /** All that this machine's processes have at most, together. */
  total: number
}

type Wanted = {
  /** Processes that serve. */
  workers: number
  /** What they may have together; undefined where the database is made to fit them. */
  most: number | undefined
}

/** Divides connections among processes. `least` is what so many processes need when there are too few. */
export function planConnections({ workers, most }: Wanted): ConnectionPlan | { least: number } {
  const keeper = workers > 1 ? KEEPER_POOL : 0
  const totalOf = (pool: number) => workers * (pool + PROBE) + keeper
  const fitting = most === undefined ? POOL.most : Math.floor((most - keeper) / workers) - PROBE
  const pool = Math.min(POOL.most, fitting)
  return pool < POOL.least ? { least: totalOf(POOL.least) } : { pool, total: totalOf(pool) }
}

/** How many to ask for of a database that somebody else set up: PostgreSQL's default, less what others need. */
export const USUAL_CONNECTIONS = 90

/** What PostgreSQL starts with where nothing else is said. */
const POSTGRES_DEFAULT = 100
/** For commands, an operator's psql, the owner's own connection, and what PostgreSQL keeps for superusers. */
const SPARE = 20

/** The `max_connections` of a PostgreSQL that is to serve so many. */
export function maxConnections(total: number): number {
  return Math.max(POSTGRES_DEFAULT, total + SPARE)
}
