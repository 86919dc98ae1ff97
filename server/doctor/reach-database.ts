import type { CampaignFile } from '#contract/campaign-file.ts'
import { explainDatabaseError } from '../database-error.ts'
import { readEffective } from '../domain/campaign/settings/overrides.ts'
import { openServer } from '../open-database.ts'
import { openDatabase, openPool } from '../platform/database/database.ts'
import { DATABASE_VARIABLES, type ReachedDatabase } from './subject.ts'
import type { Environment } from './environment.ts'
import { WORDS } from './texts.ts'

/**
 * Opens the configured database without changing its schema. Starts the embedded one if it is not running.
 * Never rejects.
 * @param timeoutMs for a query.
 */
export async function reachDatabase(
  { config, unusable }: Environment,
  timeoutMs: number,
): Promise<ReachedDatabase> {
  const unusableNames = DATABASE_VARIABLES.filter((name) => unusable.has(name))
  if (unusableNames.length > 0) return { absent: WORDS.unusable(unusableNames) }
  try {
    // With DATABASE_URL, the server is someone else's, and `close` leaves it running.
    const server = await openServer(config, { isExclusive: false })
    if (!server) return { absent: WORDS.noDatabaseYet }
    const url = config.databaseUrl ?? server.url
    const pool = openPool(url, { max: 3, timeoutMs })
    const close = async () => {
      await pool.end()
      await server.close()
    }
    try {
      const { rows } = await pool.query<{ exists: boolean }>(
        `select to_regclass('migrations') is not null as exists`,
      )
      if (rows[0]?.exists) return { pool, db: openDatabase(pool), close }
      await close()
      return { absent: WORDS.emptyDatabase }
    } catch (error) {
      await close()
      const source = config.databaseUrl ? { variable: 'DATABASE_URL', url } : undefined
      throw explainDatabaseError(error, source)
    }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

/** The file with the settings changed in the database; just `file` if file or database cannot be used. */
export async function readEffectiveCampaign(
  file: CampaignFile | { problems: string[] },
  database: Promise<ReachedDatabase>,
): Promise<CampaignFile | { problems: string[] }> {
  if ('problems' in file) return file
  const reached = await database
  if (!('db' in reached)) return file
  try {
    return (await readEffective(reached.db, file)).campaign
  } catch {
    // The schema is of another version, or the database is away. The doctor's check of the database says so.
    return file
  }
}
