import assert from 'node:assert/strict'
import pg from 'pg'
import type { Deps } from '#server/deps.ts'

export type Run = (deps: Deps, pool: pg.Pool) => Promise<unknown>

/** By name: what runs, the indexes its statements need, and how many rows a statement may read per table. */
export type PlanCases = Readonly<Record<string, [run: Run, indexes: string[], maxRows?: number]>>

/** Makes runs that read the first page of a list, or the page after its first row. */
export function pagesOf<Filters>(
  read: (deps: Deps, filters: Partial<Filters>) => Promise<{ next: string | null }>,
) {
  const list =
    (filters: Partial<Filters>): Run =>
    (deps) =>
      read(deps, filters)
  const nextPage =
    (filters: Partial<Filters>): Run =>
    async (deps) => {
      const { next } = await read(deps, { ...filters, limit: 1 })
      assert.ok(next)
      await read(deps, { ...filters, cursor: next })
    }
  return { list, nextPage }
}

/** A node of `explain (analyze, format json)`, as far as it is read here. */
type Node = {
  'Relation Name'?: string
  'Index Name'?: string
  /** Per loop, on average. */
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}

export type Plan = {
  statement: string
  indexes: string[]
  /** The table from which most rows were read, including rows that a filter removed. */
  most: { rows: number; table: string }
}

/** Makes PostgreSQL report the plan of every statement to connections that are opened from now on. */
export async function reportPlans(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    const database = pg.escapeIdentifier(rows[0]?.name ?? '')
    for (const [setting, value] of Object.entries(SETTINGS))
      await client.query(`alter database ${database} set ${setting} = '${value}'`)
  } finally {
    await client.end()
  }
}

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
  'auto_explain.log_nested_statements': 'on',
}

/** Records the plans of a run's statements, also in triggers. @param pool without connections so far. */
export function planRecorder(pool: pg.Pool): (run: () => Promise<unknown>) => Promise<Plan[]> {
  let plans: Plan[] = []
  pool.on('connect', (client) => {
    client.on('notice', ({ message = '' }) => {
      if (message.startsWith('duration:')) plans.push(parse(message.slice(message.indexOf('{'))))
    })
  })
  return async (run) => {
    plans = []
    await run()
    return plans
  }
}

function parse(json: string): Plan {
  const report = JSON.parse(json) as { 'Query Text': string; Plan: Node }
  const nodes = withDescendants(report.Plan)
  const read = nodes.map((node) => ({ rows: rowsRead(node), table: node['Relation Name'] ?? '' }))
  return {
    statement: report['Query Text'],
    indexes: nodes.flatMap((node) => node['Index Name'] ?? []),
    most: read.reduce((most, one) => (one.rows > most.rows ? one : most)),
  }
}

const withDescendants = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(withDescendants)]

function rowsRead(node: Node): number {
  if (node['Relation Name'] === undefined && node['Index Name'] === undefined) return 0
  const returned = node['Actual Rows'] ?? 0
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return Math.round((returned + removed) * (node['Actual Loops'] ?? 0))
}
