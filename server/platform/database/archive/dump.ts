import pg from 'pg'
import copyStreams from 'pg-copy-streams'
import { SCHEMA_LOCK } from '../migrate.ts'
import { type AppliedMigration, type Section } from './format.ts'
import { connectForArchive, disconnect, TRANSACTION_SETTINGS } from './session.ts'

type Snapshot = {
  /** By the database's clock. */
  takenAt: Date
  postgres: string // the version of the server
  migrations: readonly AppliedMigration[]
  /** All tables as they were at one moment, then the sequences. */
  sections: AsyncGenerator<Section>
}

/** Reads a whole database in one snapshot, as a role that may read all of it. No migration runs meanwhile. */
export async function withSnapshot<T>(url: string, use: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  // The lock that keeps migrations out has a transaction of its own: a reader that waited for it would have a
  // snapshot older than the lock. It is not a session-level lock, because a pooler may be in between.
  const locker = await connectForArchive(url)
  try {
    await locker.query('begin')
    await locker.query(TRANSACTION_SETTINGS)
    await locker.query('select pg_advisory_xact_lock_shared($1)', [SCHEMA_LOCK])
    const reader = await connectForArchive(url)
    try {
      await reader.query('begin isolation level repeatable read read only')
      await reader.query(TRANSACTION_SETTINGS)
      return await use(await openSnapshot(reader))
    } finally {
      await disconnect(reader)
    }
  } finally {
    await disconnect(locker)
  }
}

async function openSnapshot(client: pg.Client): Promise<Snapshot> {
  const { rows } = await client.query<{ takenAt: Date; postgres: string; migrations: string | null }>(
    `select now() as "takenAt", current_setting('server_version') as postgres,
       to_regclass('public.migrations') as migrations`,
  )
  const [row] = rows
  if (!row?.migrations) throw new Error('The database is empty: there is nothing to back up.')
  const applied = await client.query<AppliedMigration>(
    'select name, sha256 from public.migrations order by 1',
  )
  const { takenAt, postgres } = row
  return { takenAt, postgres, migrations: applied.rows, sections: readSections(client) }
}

async function* readSections(client: pg.Client): AsyncGenerator<Section> {
  for (const { name, columns } of await readTables(client))
    yield { head: { table: name, columns }, content: rowsOf(client, name, columns) }
  yield { head: { sequences: await readSequences(client) }, content: [] }
}

/** The tables in `public`, except those of extensions, without columns that PostgreSQL computes. */
async function readTables(client: pg.Client): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(`
    select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
        and d.deptype = 'e')
    group by c.relname order by c.relname`)
  return rows
}

/** Copies a query, because a partitioned table cannot be copied by its name before PostgreSQL 19. */
async function* rowsOf(client: pg.Client, name: string, columns: readonly string[]): AsyncGenerator<Buffer> {
  const columnList = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  const from = `public.${pg.escapeIdentifier(name)}`
  yield* client.query(
    copyStreams.to(`copy (select ${columnList} from ${from}) to stdout`),
  ) as AsyncIterable<Buffer>
}

/** Sequences are not part of the snapshot: they may be ahead of the rows, but not behind. */
async function readSequences(client: pg.Client) {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by 1`)
  const values: Record<string, { value: string; isCalled: boolean }> = {}
  for (const { name } of rows) {
    const result = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from public.${pg.escapeIdentifier(name)}`,
    )
    const [value] = result.rows
    if (value) values[name] = value
  }
  return values
}
