import pg from 'pg'

/** SQL with {@link INTERVAL}s. Read once, because the databases of all tests have the same schema. */
let statements: Promise<string> | undefined

/**
 * Moves all timestamps into the past, by an interval such as `59 seconds`. Works because only the database's
 * clock decides what has expired. Does not change append-only tables.
 */
export async function advanceTime(pool: pg.Pool, time: string): Promise<void> {
  statements ??= readStatements(pool)
  const interval = `${pg.escapeLiteral(time)}::interval`
  await pool.query((await statements).replaceAll(INTERVAL, () => interval))
}

const INTERVAL = ':interval:'
/** The bit of `tgtype` for triggers on updates. */
const ON_UPDATE = 16

async function readStatements(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ statement: string }>(
    `select format('update %I set %s', table_name,
       string_agg(format('%1$I = %1$I - ${INTERVAL}', column_name), ', ')) as statement
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and data_type = 'timestamp with time zone'
       and table_name <> 'migrations'
       and not exists (select from pg_trigger t join pg_proc p on p.oid = t.tgfoid
         where t.tgrelid = format('%I', table_name)::regclass and p.proname = 'append_only'
           and t.tgtype & ${ON_UPDATE} <> 0)
     group by table_name`,
  )
  return rows.map(({ statement }) => statement).join(';\n')
}
