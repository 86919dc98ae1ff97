import { type Config, type Env, readConfig } from '../config/config.ts'

export type Environment = {
  /** From the usable variables; those in `unusable` have their defaults, which must not be judged. */
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

/** Reads the environment as the server does; reports problems and ignores the variables they begin with. */
export function readEnvironment(env: Env): Environment {
  const config = readConfig(env)
  if (!('problems' in config)) return { config, problems: [], unusable: new Set() }
  const variables = config.problems.flatMap((problem) => /^[A-Z][A-Z_]+/.exec(problem) ?? [])
  const ignored = new Set(
    variables.flatMap((name) => VARIABLE_GROUPS.find((group) => group.includes(name)) ?? [name]),
  )
  const others = Object.fromEntries(Object.entries(env).filter(([name]) => !ignored.has(name)))
  // Reads the others as in development: in production, a missing variable would leave no configuration.
  // They can have problems, too: the number of connections is checked only once every variable is valid.
  const { config: usable, problems, unusable } = readEnvironment({ ...others, NODE_ENV: undefined })
  return {
    config: { ...usable, isProduction: env['NODE_ENV'] === 'production' },
    problems: [...config.problems, ...problems],
    unusable: ignored.union(unusable),
  }
}
