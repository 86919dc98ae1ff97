import type { Alert } from '#contract/dashboard/alerts.ts'
import type { Database } from '#server/platform/database/database.ts'

/** What is wrong at the moment, oldest first. */
export async function readAlerts(db: Database): Promise<Alert[]> {
  const rows = await db
    .selectFrom('alerts')
    .select(['condition', 'place', 'facts', 'since'])
    .where('cleared_at', 'is', null)
    .orderBy('since')
    .orderBy('condition')
    .orderBy('place')
    .execute()
  return rows.map(({ since, ...alert }) => ({
    ...(alert as Omit<Alert, 'since'>),
    since: since.toISOString(),
  }))
}
