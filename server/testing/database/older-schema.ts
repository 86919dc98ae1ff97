import type { TestContext } from 'node:test'
import type pg from 'pg'
import { MIGRATIONS_TABLE, readMigrations, RECORD_MIGRATION } from '#server/platform/database/migrate.ts'
import { emptyDatabase } from './database.ts'

/** A database with the schema of an earlier version, before the named migration; dropped after the test. */
export async function databaseBefore(t: TestContext, name: string): Promise<pg.Pool> {
  const pool = (await emptyDatabase(t)).connect()
  await schemaBefore(pool, name)
  return pool
}

type Client = { query(text: string, values?: string[]): Promise<unknown> }

/** Creates the schema that an earlier version left, before the named migration. */
export async function schemaBefore(client: Client, name: string): Promise<void> {
  const migrations = await readMigrations()
  const end = migrations.findIndex((migration) => migration.name.endsWith(`_${name}.sql`))
  if (end < 0) throw new Error(`There is no migration ${name}.`)
  await client.query(MIGRATIONS_TABLE)
  for (const { name: applied, sql, sha256 } of migrations.slice(0, end)) {
    await client.query(sql)
    await client.query(RECORD_MIGRATION, [applied, sha256])
  }
}
