import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import copyStreams from 'pg-copy-streams'
import type { Run } from '../grants.ts'
import {
  type Migration,
  MIGRATIONS_TABLE,
  RECORD_MIGRATION,
  pendingMigrations,
  readMigrations,
} from '../migrate.ts'
import { type ArchiveHead, type SectionHead, UnusableArchive } from './format.ts'
import type { OpenArchive } from './read-archive.ts'

/** An archive's migrations. @throws UnusableArchive if this program lacks one or has a different one. */
export async function migrationsOf({ migrations }: ArchiveHead, file: string): Promise<Migration[]> {
  const known = new Map((await readMigrations()).map((migration) => [migration.name, migration]))
  const unknown = migrations.filter(({ name }) => !known.has(name)).map(({ name }) => name)
  if (unknown.length > 0)
    throw new UnusableArchive(
      `${file} is newer than this program, which does not know ${unknown.join(', ')}: ` +
        'restore it with the version that wrote it, or a later one.',
    )
  const changed = migrations.find(({ name, sha256 }) => known.get(name)?.sha256 !== sha256)
  if (changed) throw new UnusableArchive(`${file} was written by a program whose ${changed.name} differs.`)
  const wanted = new Set(migrations.map(({ name }) => name))
  return [...known.values()].filter(({ name }) => wanted.has(name))
}

type RebuildOptions = {
  archive: OpenArchive
  /** From {@link migrationsOf}. */
  migrations: readonly Migration[]
  onFile: (name: string, content: Buffer) => Promise<void>
}

/**
 * Replaces all tables of a database with those of an archive, in the caller's transaction, and migrates them
 * to the newest schema. The client's role has to own the tables, but need not be a superuser. Triggers do not
 * run while tables are loaded, because the archive already has their results.
 * @returns the tables of the archive that its migrations do not create; they are left out.
 */
export async function rebuild(
  client: pg.Client,
  { archive, migrations, onFile }: RebuildOptions,
): Promise<string[]> {
  await dropAll(client)
  await client.query(MIGRATIONS_TABLE)
  for (const { sql } of migrations) await client.query(sql)
  const resumeStatements = await suspendKeysAndTriggers(client)
  await emptyTables(client)
  const leftOut: string[] = []
  for await (const { head, content } of archive.sections) {
    if ('file' in head) await onFile(head.file, Buffer.from(await text(content), 'base64'))
    else if ('sequences' in head) await setSequences(client, head)
    else if (!(await loadTable(client, head, content))) leftOut.push(head.table)
  }
  for (const statement of resumeStatements) await client.query(statement)
  await migrateForward(client)
  return leftOut
}

/** All relations outside the system schemas. A restore compares them, to see that it removes only our own. */
export async function readRelations(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`)
  return new Set(rows.map(({ name }) => name))
}

/** Drops the relations, routines and types in the schema `public`, except those of extensions. */
async function dropAll(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(`
    with extension_owned as (select classid, objid from pg_depend where deptype = 'e')
    select format('drop %s if exists %s cascade', kind, name) as statement from (
      select 1 as step, case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view'
          else 'table' end as kind, oid::regclass::text as name
        from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S', 'v', 'm')
          and (tableoid, oid) not in (select * from extension_owned)
          -- The sequence of an identity column goes with its table.
          and not (relkind = 'S' and oid in (select objid from pg_depend where deptype in ('a', 'i')))
      union all select 2, 'routine', oid::regprocedure::text
        from pg_proc where pronamespace = 'public'::regnamespace and (tableoid, oid) not in (select * from extension_owned)
      union all select 3, 'type', oid::regtype::text
        from pg_type where typnamespace = 'public'::regnamespace
          -- Only enumerations and domains: a table's type goes with it.
          and typtype in ('e', 'd') and (tableoid, oid) not in (select * from extension_owned)
    ) objects order by step, kind, name`)
  for (const { statement } of rows) await client.query(statement)
}

/** Drops foreign keys and disables triggers, so that tables load in any order. @returns what undoes both. */
async function suspendKeysAndTriggers(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ suspend: string; resume: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as suspend,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as resume
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
      -- A partition inherits the keys of its table.
        and conparentid = 0
    union all
    select format('alter table %s disable trigger %I', tgrelid::regclass, tgname),
      format('alter table %s enable trigger %I', tgrelid::regclass, tgname)
      from pg_trigger t join pg_class c on c.oid = tgrelid
      -- A trigger that is not enabled ('O') stays as it is.
      where not tgisinternal and tgenabled = 'O' and relnamespace = 'public'::regnamespace
    order by 1`)
  for (const { suspend } of rows) await client.query(suspend)
  return rows.map(({ resume }) => resume)
}

/** Deletes the rows that migrations have inserted, because the archive contains them. */
async function emptyTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ list: string }>(`
    select string_agg(oid::regclass::text, ', ') as list from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`)
  await client.query(`truncate ${rows[0]?.list ?? ''}`)
}

async function setSequences(
  client: pg.Client,
  { sequences }: Extract<SectionHead, { sequences: unknown }>,
): Promise<void> {
  const statement = 'select setval(to_regclass($1), $2::bigint, $3) where to_regclass($1) is not null'
  for (const [name, { value, isCalled }] of Object.entries(sequences))
    await client.query(statement, [`public.${pg.escapeIdentifier(name)}`, value, isCalled])
}

/** @returns false if there is no such table. */
async function loadTable(
  client: pg.Client,
  { table: name, columns }: Extract<SectionHead, { table: string }>,
  content: AsyncIterable<Buffer>,
): Promise<boolean> {
  const table = `public.${pg.escapeIdentifier(name)}`
  const { rows } = await client.query<{ existing: string | null }>('select to_regclass($1) as existing', [
    table,
  ])
  if (!rows[0]?.existing) return false
  const columnList = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  await pipeline(content, client.query(copyStreams.from(`copy ${table} (${columnList}) from stdin`)))
  return true
}

/** Applies the migrations that the archive lacks, all in the caller's transaction, unlike `migrate`. */
async function migrateForward(client: pg.Client): Promise<void> {
  const run: Run = (query, values = []) => client.query<Record<string, string>>(query, [...values])
  for (const { name, sql, sha256 } of await pendingMigrations(run)) {
    await client.query(sql)
    // Makes the deferred checks, because a table on which one is pending cannot be altered.
    await client.query('set constraints all immediate')
    await client.query('set constraints all deferred')
    await run(RECORD_MIGRATION, [name, sha256])
  }
}
