import type { Selectable } from 'kysely'
import { type Check, CHECKS, type CheckOutcome, type Evidence } from '#contract/evidence.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import type { Evidence as EvidenceRow } from '#server/platform/database/database.types.ts'

/** The evidence of a claim in the order of {@link CHECKS}; empty before the first check. */
export async function readEvidence(db: Database | Tx, claimId: string): Promise<Evidence[]> {
  const rows = await db.selectFrom('evidence').selectAll().where('claim_id', '=', claimId).execute()
  return rows.map(asEvidence).toSorted((a, b) => CHECKS.indexOf(a.check) - CHECKS.indexOf(b.check))
}

function asEvidence(row: Selectable<EvidenceRow>): Evidence {
  return {
    check: row.check_name as Check,
    outcome: row.outcome as CheckOutcome,
    detail: row.detail,
    source: row.source,
    checkedAt: row.checked_at.toISOString(),
    httpStatus: row.http_status,
    seen: row.seen,
    seenHash: row.seen_hash,
    tries: row.tries,
    nextTryAt: row.next_try_at?.toISOString() ?? null,
  }
}
