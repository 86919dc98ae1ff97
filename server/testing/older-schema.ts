import { readMigrations } from '../platform/database/migrate.ts'

type Client = { query(text: string, values?: string[]): Promise<unknown> }

/** Creates the schema that an earlier version left, before the named migration. */
export async function schemaBefore(client: Client, name: string): Promise<void> {
  const migrations = await readMigrations()
  const end = migrations.findIndex((migration) => migration.name.endsWith(`_${name}.sql`))
  if (end < 0) throw new Error(`There is no migration ${name}.`)
  await client.query(
    'create table migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
  )
  for (const { name: applied, sql, sha256 } of migrations.slice(0, end)) {
    await client.query(sql)
    await client.query('insert into migrations values ($1, $2)', [applied, sha256])
  }
}
