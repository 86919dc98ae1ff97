/** Bounds of the pool of each serving process. */
const POOL = { max: 12, min: 3 }
/** Each serving process has one more connection, for the readiness probe. */
const PROBE = 1
/** With several workers, the main process serves nothing, but has a small pool for migrations. */
export const MAIN_PROCESS_POOL = 2
/** Connections of each process that bypass a pooler: for LISTEN, and for migrations at start. */
export const SESSION_POOL = 2
/** For commands that run while a server is running. */
export const COMMAND_POOL = 4

export type ConnectionPlan = {
  /** The connections of each serving process. */
  pool: number
  /** Upper bound for all processes of this machine together, without connections that bypass a pooler. */
  total: number
}

type ConnectionDemand = {
  workers: number
  /** Limit for all processes together; undefined if the database is sized to fit. */
  max: number | undefined
}

/** Divides connections among processes. If `max` is too few, says how many are `required`. */
export function planConnections({ workers, max }: ConnectionDemand): ConnectionPlan | { required: number } {
  const mainProcess = workers > 1 ? MAIN_PROCESS_POOL : 0
  const totalFor = (pool: number) => workers * (pool + PROBE) + mainProcess
  const affordable = max === undefined ? POOL.max : Math.floor((max - mainProcess) / workers) - PROBE
  const pool = Math.min(POOL.max, affordable)
  return pool < POOL.min ? { required: totalFor(POOL.min) } : { pool, total: totalFor(pool) }
}

/** Assumed for an external database: PostgreSQL's default `max_connections`, less some for other clients. */
export const USUAL_CONNECTIONS = 90

/** For commands, an operator's psql, the cluster's ownership lock, and PostgreSQL's superuser reserve. */
const SPARE = 20

/** The setting `max_connections` for this many connections: PostgreSQL's default of 100, or more. */
export const maxConnections = (total: number): number => Math.max(100, total + SPARE)
