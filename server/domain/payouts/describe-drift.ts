import type { Drift, DriftEntry } from '#contract/payouts.ts'
import type { Database } from '#server/platform/database/database.ts'
import { countDrift, readDrift } from './drift.ts'
import type { LiveFreeze } from './live-freeze.ts'

const WORDS: Record<Drift, string> = {
  undone: 'the approval was undone after the freeze, but it is in the pack',
  changed: 'the points have changed since the freeze; the pack has the frozen ones',
  added: 'approved after the freeze, not in the pack',
}

/** Lines that say which rows no longer match the ledger; none if all do. */
export async function describeDrift(db: Database, campaignId: string, live: LiveFreeze): Promise<string[]> {
  const counts = await countDrift(db, campaignId, live)
  const total = counts.undone + counts.changed + counts.added
  if (total === 0) return []
  const entries = await readDrift(db, campaignId, live)
  return [
    `The ledger has changed since the freeze, which stays as it is. Look at these before you pay:`,
    ...entries.map(lineOf),
    ...(total > entries.length ? [`… and ${total - entries.length} more: see the dashboard.`] : []),
  ]
}

const lineOf = ({ wallet, drift }: DriftEntry) => `  ${wallet ?? 'no wallet'}: ${WORDS[drift]}`
