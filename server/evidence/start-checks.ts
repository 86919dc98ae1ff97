import type { Check } from '#contract/evidence.ts'
import type { Tx } from '../platform/database.ts'
import { enqueue, type QueuedJob } from '../platform/jobs.ts'

/** The kind of job that gathers evidence of a claim. */
export const CHECK_JOB = 'check-claim'

/** Has a new claim looked at; one that was corrected anew, since what was seen of it no longer holds. */
export async function startChecks(tx: Tx, claimId: string): Promise<void> {
  await tx.deleteFrom('evidence').where('claim_id', '=', claimId).execute()
  await enqueue(tx, checkJob(claimId))
}

/** Has some of it looked at once more, because something else is known now; the rest stays as it was seen. */
export async function recheck(tx: Tx, claimId: string, checks: readonly Check[]): Promise<void> {
  await tx
    .deleteFrom('evidence')
    .where('claim_id', '=', claimId)
    .where('check_name', 'in', [...checks])
    .execute()
  await enqueue(tx, checkJob(claimId))
}

/** The work of looking at a claim that is being made. */
export function checkJob(claimId: string): QueuedJob {
  return { kind: CHECK_JOB, payload: { claimId } }
}
