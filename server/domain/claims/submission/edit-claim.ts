import type { Task } from '#contract/entities.ts'
import { MAX_EDITS } from '#contract/claims/claims.ts'
import type { Proof } from '#contract/claims/proof.ts'
import type { Deps } from '#server/deps.ts'
import { announceClaim } from '#server/domain/events/announce.ts'
import { restartChecks } from '#server/domain/evidence/start-checks.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { refuse } from '#server/platform/refusal.ts'
import { recordEvent } from '../claim-events.ts'
import { asColumns, PROOF_COLUMNS, type ProofColumns, readTask } from '../claim.ts'
import { lockClaimById, type LockedClaim } from '../decisions/lock-claim.ts'
import { validateProof } from './validate-proof.ts'
import { refusalForViolation } from './refusal-for-violation.ts'

type Edit = { userId: string; claimId: string; proof: Proof; revision?: string | undefined }

/**
 * Replaces the proof of a claim whose review has not started. Restarts its checks, which move the claim to
 * review again unless it is held. Idempotent: an unchanged proof is no edit, whatever its revision.
 * @param edit.revision the revision that the edit began from. Without it, the edit also replaces one that was
 * made meanwhile.
 */
export async function editClaim(deps: Deps, edit: Edit): Promise<Task> {
  const columns = asColumns(validateProof(edit.proof, deps.campaign))
  try {
    const task = await inTransaction(deps.db, async (tx) => {
      const claim = await lockClaimById(tx, deps, edit.claimId)
      if (claim?.user_id !== edit.userId) throw refuse('claim_not_found')
      if (claim.decided_at || claim.review_started_at) throw refuse('review_started')
      if (!hasProof(claim, columns)) {
        if (edit.revision && edit.revision !== String(claim.revision)) throw refuse('edited_elsewhere')
        await replaceProof(tx, claim, columns)
      }
      return readTask(tx, claim.id)
    })
    deps.runSoon('claims') // The job that checks claims.
    return task
  } catch (error) {
    throw refusalForViolation(error) ?? error
  }
}

const hasProof = (claim: LockedClaim, columns: ProofColumns): boolean =>
  PROOF_COLUMNS.every((name) => claim[name] === columns[name])

async function replaceProof(tx: Tx, claim: LockedClaim, columns: ProofColumns): Promise<void> {
  // The revision is 1 without edits. A trigger increments it with each change of the proof.
  if (claim.revision > MAX_EDITS) throw refuse('edits_over')
  await tx
    .updateTable('claims')
    .set({ ...columns, status: claim.status === 'held' ? 'held' : 'submitted' })
    .where('id', '=', claim.id)
    .execute()
  await recordEvent(tx, { claimId: claim.id, what: 'edited' })
  await restartChecks(tx, claim.id)
  await announceClaim(tx, claim.id)
}
