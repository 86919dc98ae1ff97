import * as contract from '#contract/dashboard/alerts.ts'
import type { Deps } from '#server/deps.ts'
import { route, type Route } from '#server/platform/http/route.ts'
import { readAlerts } from './watch.ts'

export const alertRoutes = (deps: Deps): Route[] => [
  route(contract.alerts, async () => ({ data: await readAlerts(deps.db) })),
]
