import { Readable } from 'node:stream'
import * as contract from '#contract/dashboard/insights.ts'
import type { Deps } from '#server/deps.ts'
import { csvRow } from '#server/platform/csv.ts'
import { fileRoute, route, type Route } from '#server/platform/http/route.ts'
import { readInsights, readTable } from './read-insights.ts'

export const insightRoutes = (deps: Deps): Route[] => [
  route(contract.insights, async ({ query }) => ({ data: await readInsights(deps, query) })),
  fileRoute(contract.insightsFile, async ({ params: { table }, query }) => {
    const columns = Object.keys(contract.INSIGHT_TABLES[table].shape)
    const rows = await readTable(deps, table, query)
    const cells = rows.map((row) => columns.map((column) => row[column] ?? null))
    return Readable.from([[columns, ...cells].map(csvRow).join('')])
  }),
]
