import type { QueryResult } from 'pg'

export type Run = (text: string, values?: readonly string[]) => Promise<QueryResult<Record<string, string>>>

/**
 * Grants the serving role exactly what it needs: reading and writing rows, except what an `append_only`
 * trigger forbids. Idempotent; changes only wrong grants, and none on tables that the role owns.
 * @returns append-only tables that the role can still modify, through ownership or membership in another
 * role, in alphabetical order.
 */
export async function grantTo(run: Run, role: string): Promise<string[]> {
  const { rows } = await run(`${DIFFERENCES} and relowner <> $1::regrole ${BESIDES_TABLES}`, [quoted(role)])
  for (const { statement } of rows) await run(statement ?? '')
  return tablesWhere(run, role, MUTABLE)
}

/** In alphabetical order: tables on which a role lacks a privilege, and append-only ones it can modify. */
export async function findWrongRights(
  run: Run,
  role: string,
): Promise<{ missing: string[]; excessive: string[] }> {
  return { missing: await tablesWhere(run, role, 'wanted'), excessive: await tablesWhere(run, role, MUTABLE) }
}

/** A condition on DIFFERENCES: the role has a privilege that a trigger `append_only` keeps it from using. */
const MUTABLE = 'not wanted and refused'

async function tablesWhere(run: Run, role: string, condition: string): Promise<string[]> {
  const { rows } = await run(`${DIFFERENCES} and ${condition}`, [quoted(role)])
  return [...new Set(rows.map(({ name }) => name ?? ''))].toSorted()
}

const quoted = (role: string) => `"${role.replaceAll('"', '""')}"`

/** Privileges on tables that a role lacks but should have, or the reverse. `tgtype` has a `bit` per verb. */
const DIFFERENCES = `
  select c.relname as name, format(
    case when wanted then 'grant %s on table %I to %s' else 'revoke %s on table %I from %s' end,
    verb, c.relname, $1::regrole) as statement
  from pg_class c
    cross join (values ('select', 0), ('insert', 4), ('delete', 8), ('update', 16), ('truncate', 32)) v (verb, bit)
    cross join lateral (select exists (
      select from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where t.tgrelid = c.oid and p.proname = 'append_only' and t.tgtype & bit <> 0) as refused) r
    cross join lateral (select not refused and verb <> 'truncate'
      and (c.relname <> 'migrations' or verb = 'select') as wanted) w
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and has_table_privilege($1::regrole, c.oid, verb) <> wanted`

/** Privileges on sequences and the schema that the role lacks. */
const BESIDES_TABLES = `
  union all
  select relname, format('grant %s on sequence %I to %s', verb, relname, $1::regrole)
  from pg_sequence join pg_class c on c.oid = seqrelid cross join (values ('usage'), ('select')) v (verb)
  where relnamespace = 'public'::regnamespace and not has_sequence_privilege($1::regrole, seqrelid, verb)
  union all
  select 'public', format('grant usage on schema public to %s', $1::regrole)
  where not has_schema_privilege($1::regrole, 'public', 'usage')`
