import { type Signal, type SignalKind, SIGNALS } from '#contract/claims/signals.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { type Facts, reasonOf } from './signal-texts.ts'

/** The signals of a claim in the order of {@link SIGNALS}: heaviest kind first. */
export async function readSignals(
  db: Database | Tx,
  claimId: string,
  locale: Locale = DEFAULT_LOCALE,
): Promise<Signal[]> {
  const rows = await db.selectFrom('signals').selectAll().where('claim_id', '=', claimId).execute()
  return rows
    .map(({ kind, weight, facts }) => ({
      kind: kind as SignalKind,
      weight,
      reason: reasonOf(kind as SignalKind, facts as Facts, locale),
    }))
    .toSorted((a, b) => SIGNALS.indexOf(a.kind) - SIGNALS.indexOf(b.kind))
}
