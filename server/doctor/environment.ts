import { type Config, type Env, readConfig } from '../config/config.ts'

export type Environment = {
  /** Variables in `unusable` have their defaults, which must not be judged. */
  config: Config
  problems: readonly string[]
  unusable: ReadonlySet<string>
}

/** Variables that are ignored together: if only some were, the others would mean something else. */
const VARIABLE_GROUPS = [
  ['TELEGRAM_CLIENT_ID', 'TELEGRAM_CLIENT_SECRET'],
  ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'],
  ['WORKERS', 'DATABASE_CONNECTIONS'],
]

/** Reads the environment as the server does, without the variables that have problems. */
export function readEnvironment(env: Env): Environment {
  const config = readConfig(env)
  if (!('problems' in config)) return { config, problems: [], unusable: new Set() }
  // Each problem begins with the name of its variable.
  const variables = config.problems.flatMap((problem) => /^[A-Z][A-Z_]+/.exec(problem) ?? [])
  const ignored = new Set(
    variables.flatMap((name) => VARIABLE_GROUPS.find((group) => group.includes(name)) ?? [name]),
  )
  const others = Object.fromEntries(Object.entries(env).filter(([name]) => !ignored.has(name)))
  // Reads the others as in development, because in production a required variable may now be missing. They
  // can have further problems: some checks run only once every variable is valid.
  const { config: usable, problems, unusable } = readEnvironment({ ...others, NODE_ENV: undefined })
  return {
    config: { ...usable, isProduction: env['NODE_ENV'] === 'production' },
    problems: [...config.problems, ...problems],
    unusable: ignored.union(unusable),
  }
}
