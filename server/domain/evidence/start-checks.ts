import type { EvidenceCheck } from '#contract/claims/evidence.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { enqueue, type QueuedJob } from '#server/platform/jobs/jobs.ts'

export const CHECK_JOB = 'check-claim'

export async function restartChecks(tx: Tx, claimId: string): Promise<void> {
  await tx.deleteFrom('evidence').where('claim_id', '=', claimId).execute()
  await enqueue(tx, checkJob(claimId))
}

export async function recheck(tx: Tx, claimId: string, checks: readonly EvidenceCheck[]): Promise<void> {
  await tx.deleteFrom('evidence').where('claim_id', '=', claimId).where('check_name', 'in', checks).execute()
  await enqueue(tx, checkJob(claimId))
}

export function checkJob(claimId: string): QueuedJob {
  return { kind: CHECK_JOB, payload: { claimId } }
}
