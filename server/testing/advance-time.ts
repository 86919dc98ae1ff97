import type pg from 'pg'

const APPEND_ONLY = ['ledger', 'journal']

/**
 * Simulates the passing of time: moves every timestamp in the database into the past, by an interval such as
 * `59 seconds`. Works because only the database's clock decides what has expired.
 */
export async function advanceTime(pool: pg.Pool, time: string): Promise<void> {
  const { rows } = await pool.query<{ statement: string }>(
    `select format('update %I set %s', table_name,
       string_agg(format('%1$I = %1$I - %2$L::interval', column_name, $1::text), ', ')) as statement
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' and data_type = 'timestamp with time zone'
       and table_name <> all ($2) and table_name <> 'migrations'
     group by table_name`,
    [time, APPEND_ONLY],
  )
  for (const { statement } of rows) await pool.query(statement)
}
