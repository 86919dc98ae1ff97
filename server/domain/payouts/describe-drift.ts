import type { Database } from '#server/platform/database/database.ts'
import { driftLine } from '#web/content/dashboard/payout-pack.ts'
import { countDrift, readDrift } from './drift.ts'
import type { LiveFreeze } from './live-freeze.ts'

/** Lines that say which rows no longer match the ledger; none if all do. */
export async function describeDrift(db: Database, campaignId: string, live: LiveFreeze): Promise<string[]> {
  const counts = await countDrift(db, campaignId, live)
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (total === 0) return []
  const entries = await readDrift(db, campaignId, live)
  return [
    `The ledger has changed since the freeze, which stays as it is. Look at these before you pay:`,
    ...entries.map((entry) => `  ${driftLine(entry)}`),
    ...(total > entries.length ? [`… and ${total - entries.length} more: see the dashboard.`] : []),
  ]
}
