import { sql } from 'kysely'
import { LOCK_SECONDS } from '#contract/dashboard/review.ts'
import type { Deps } from '#server/deps.ts'
import { announceClaim } from '#server/domain/events/announce.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { IS_LOCKED, lockClaimForReview, refuseIfLocked, type ReviewAction } from './lock-claim.ts'

/**
 * Acquires or renews a reviewer's two-minute lease on a claim. Once a claim has been leased, its participant
 * can no longer edit it.
 * @returns when the lease expires, as an ISO time.
 */
export function acquireReviewLock(deps: Deps, action: ReviewAction): Promise<string> {
  return inTransaction(deps.db, async (tx) => {
    const claim = await lockClaimForReview(tx, deps, action)
    await refuseIfLocked(tx, action)
    if (claim.review_started_at === null) await startReview(tx, claim.id)
    const { until, isNew } = await acquireLease(tx, action)
    if (isNew) await announceClaim(tx, claim.id)
    return until.toISOString()
  })
}

async function startReview(tx: Tx, claimId: string): Promise<void> {
  await tx
    .updateTable('claims')
    .set({ review_started_at: sql`now()` })
    .where('id', '=', claimId)
    .execute()
}

async function acquireLease(
  tx: Tx,
  { claimId, reviewer }: ReviewAction,
): Promise<{ until: Date; isNew: boolean }> {
  const until = sql<Date>`now() + make_interval(secs => ${sql.lit(LOCK_SECONDS)})`
  const renewed = await tx
    .updateTable('review_locks as l')
    .set({ until })
    .where('l.claim_id', '=', claimId)
    .where('l.reviewer', '=', reviewer.userId)
    .where(IS_LOCKED)
    .returning('l.until')
    .executeTakeFirst()
  if (renewed) return { until: renewed.until, isNew: false }
  const acquired = await tx
    .insertInto('review_locks')
    .values({ claim_id: claimId, reviewer: reviewer.userId, until })
    // The lease to replace has expired: refuseIfLocked and the renewal have dealt with a valid one.
    .onConflict((conflict) => conflict.column('claim_id').doUpdateSet({ reviewer: reviewer.userId, until }))
    .returning('until')
    .executeTakeFirstOrThrow()
  return { until: acquired.until, isNew: true }
}

export async function releaseReviewLock(deps: Deps, { claimId, reviewer }: ReviewAction): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const released = await tx
      .deleteFrom('review_locks')
      .where('claim_id', '=', claimId)
      .where('reviewer', '=', reviewer.userId)
      .returning('claim_id')
      .executeTakeFirst()
    if (released) await announceClaim(tx, claimId)
  })
}

/**
 * Releases all leases of a reviewer who lost the role, so that nobody waits until they expire. Skips leases
 * that a decision is releasing, because that decision may itself be waiting for this transaction.
 */
export async function releaseReviewLocksOf(tx: Tx, reviewerId: string): Promise<void> {
  const leases = tx.selectFrom('review_locks').select('claim_id').where('reviewer', '=', reviewerId)
  const released = await tx
    .deleteFrom('review_locks')
    .where('claim_id', 'in', leases.forUpdate().skipLocked())
    .returning('claim_id')
    .execute()
  for (const { claim_id } of released) await announceClaim(tx, claim_id)
}
