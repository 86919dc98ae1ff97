import type { Pool } from 'pg'
import { findWrongRights, type Run } from '#server/platform/database/grants.ts'
import { pendingMigrations, readMigrations } from '#server/platform/database/migrate.ts'
import { couldNotTell, judged, wrong } from '../finding.ts'
import { type Check, DATABASE_VARIABLES } from '../subject.ts'
import { WORDS } from '../texts.ts'

const { database: words } = WORDS
/** PostgreSQL 15, in the form of `server_version_num`. */
const MIN_VERSION_NUMBER = 150_000

export const database: Check = {
  name: 'database',
  reads: DATABASE_VARIABLES,
  async examine(subject) {
    const reached = await subject.database
    if ('absent' in reached) return couldNotTell(reached.absent)
    if ('failure' in reached) return wrong([reached.failure])
    const run: Run = (text, values = []) => reached.pool.query(text, [...values])
    const { version, versionNumber } = await readVersion(reached.pool)
    const { problems, isCurrent } = await findSchemaProblems(run)
    const { databaseUrl, databaseOwnerUrl } = subject.environment.config
    const isOneRole = databaseUrl !== undefined && databaseOwnerUrl === databaseUrl
    // This program knows only which rights its own schema needs.
    const rights = isCurrent && !isOneRole ? await findRightProblems(run) : []
    const newestMigration = (await readMigrations()).at(-1)?.name ?? ''
    return judged(
      [...(versionNumber < MIN_VERSION_NUMBER ? [words.tooOld(version)] : []), ...problems, ...rights],
      words.fine(version, newestMigration),
      isOneRole ? [words.oneRole] : [],
    )
  },
}

type Version = { version: string; versionNumber: number }

async function readVersion(pool: Pool): Promise<Version> {
  const { rows } = await pool.query<Version>(`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::integer as "versionNumber"`)
  return rows[0] ?? { version: '', versionNumber: 0 }
}

async function findSchemaProblems(run: Run): Promise<{ problems: string[]; isCurrent: boolean }> {
  try {
    const names = (await pendingMigrations(run)).map(({ name }) => name)
    return { problems: names.length > 0 ? [words.pending(names)] : [], isCurrent: names.length === 0 }
  } catch (error) {
    // The schema is newer than the program, or an applied migration was edited. The message says what to do.
    return {
      problems: [words.unreadable(error instanceof Error ? error.message : String(error))],
      isCurrent: false,
    }
  }
}

async function findRightProblems(run: Run): Promise<string[]> {
  const role = (await run('select current_user as role')).rows[0]?.['role'] ?? ''
  const { missing, excessive } = await findWrongRights(run, role)
  return [
    ...(missing.length > 0 ? [words.missingRights(role, missing)] : []),
    ...(excessive.length > 0 ? [words.tooManyRights(role, excessive)] : []),
  ]
}
