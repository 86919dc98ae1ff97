import { type Config, type Env, readConfig } from '../config.ts'

export type Environment = {
  /** The configuration from the usable variables; those in `unusable` have their defaults, which must not be judged. */
  config: Config
  problems: readonly string[]
  unusable: ReadonlySet<string>
}

/** Variables that are ignored together, because some of them without the others would mean something else. */
const VARIABLE_GROUPS = [
  ['TELEGRAM_CLIENT_ID', 'TELEGRAM_CLIENT_SECRET'],
  ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'],
  ['WORKERS', 'DATABASE_CONNECTIONS'],
]

/** Reads the environment as the server does, and what is left of it when some variables cannot be used. */
export function readEnvironment(env: Env): Environment {
  const config = readConfig(env)
  if (!('problems' in config)) return { config, problems: [], unusable: new Set() }
  const named = config.problems.flatMap((problem) => /^[A-Z][A-Z_]+/.exec(problem) ?? [])
  const unusable = new Set(
    named.flatMap((name) => VARIABLE_GROUPS.find((group) => group.includes(name)) ?? [name]),
  )
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !unusable.has(name)))
  // Not as production, in which a missing variable would leave no configuration at all.
  const usable = readConfig({ ...rest, NODE_ENV: undefined })
  if ('problems' in usable) throw new Error(usable.problems.join(' '))
  const production = env['NODE_ENV'] === 'production'
  return { config: { ...usable, production }, problems: config.problems, unusable }
}
