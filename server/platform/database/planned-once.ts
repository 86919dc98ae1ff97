import { type KyselyPlugin, PostgresQueryCompiler } from 'kysely'
import type pg from 'pg'
import type { Database, Tx } from './database.ts'

/**
 * Texts of statements that PostgreSQL parses and plans once for a connection instead of each time. One plan
 * then serves all values, so this is for statements that use the same index whatever the values are.
 */
const texts = new Set<string>()
/** More than the program has, unless texts contain values. Each connection keeps a plan per text. */
const MAX_TEXTS = 100
/** Uses before a connection plans anew. At a launch, tables soon outgrow a plan made for few rows. */
const MAX_USES = 200

/** The ids of the queries whose database came from {@link plannedOnce}. */
const plannedQueryIds = new WeakSet<object>()
const plugin: KyselyPlugin = {
  transformQuery({ node, queryId }) {
    plannedQueryIds.add(queryId)
    return node
  },
  transformResult: ({ result }) => Promise.resolve(result),
}
const plannedDatabases = new WeakMap<Database, Database>()

/** Lets each connection plan a statement only once. Through a pooler, it is still planned each time. */
export function plannedOnce<D extends Database | Tx>(db: D): D {
  const planned = plannedDatabases.get(db) ?? db.withPlugin(plugin)
  plannedDatabases.set(db, planned)
  return planned as D
}

export class QueryCompiler extends PostgresQueryCompiler {
  override compileQuery(...query: Parameters<PostgresQueryCompiler['compileQuery']>) {
    const compiled = super.compileQuery(...query)
    if (plannedQueryIds.has(compiled.queryId) && texts.size < MAX_TEXTS) texts.add(compiled.sql)
    return compiled
  }
}

/** Names the statements that are planned once. Not through a pooler, which may switch connections. */
export async function nameStatements(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const { connection, processID } = client as unknown as Internals
  // A pooler makes up the process id that it reports.
  if (rows[0]?.pid !== processID) return
  const { query } = client
  const named = new Map<string, NamedStatement>()
  let nameCount = 0
  const forget = (name: string) => {
    // In a failed transaction this is refused; the statement then stays until the connection is closed.
    const dropped = Reflect.apply(query, client, [`deallocate ${name}`]) as unknown as Promise<unknown>
    dropped.catch(() => {})
    delete connection.parsedStatements[name]
  }
  const takeName = (text: string): string => {
    const known = named.get(text)
    if (known && known.uses < MAX_USES) {
      known.uses += 1
      return known.name
    }
    if (known) forget(known.name)
    nameCount += 1
    const name = `planned_${nameCount}`
    named.set(text, { name, uses: 1 })
    return name
  }
  client.query = new Proxy(query, {
    apply(target, self, args: unknown[]) {
      const [text, values, ...rest] = args
      const isNamed = typeof text === 'string' && Array.isArray(values) && texts.has(text)
      return Reflect.apply(target, self, isNamed ? [{ name: takeName(text), text, values }, ...rest] : args)
    },
  })
}

type NamedStatement = { name: string; uses: number }
/** Members of the client that pg does not document. */
type Internals = { connection: { parsedStatements: Record<string, string> }; processID: number }
