import { type Selectable, sql } from 'kysely'
import { LOCK_SECONDS } from '#contract/dashboard/review.ts'
import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Claims } from '#server/platform/database/database.types.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { refuse } from '#server/platform/refusal.ts'
import { refuseUnlessAdministrator } from '../../accounts/roles/administrators.ts'

export type ReviewAction = {
  claimId: string
  reviewer: Caller
  /** The network that the call came from, for the journal. */
  network: string
}

export type LockedClaim = Selectable<Claims>

/**
 * Locks a claim until the transaction ends. Every edit, appeal and decision of a claim takes this lock first,
 * then further locks in the order of docs/architecture.md.
 * @returns undefined when the campaign has no claim of that id. @throws refusal `campaign_archived`.
 */
export async function lockClaimById(
  tx: Tx,
  { campaign }: Deps,
  claimId: string,
): Promise<LockedClaim | undefined> {
  await lockAgainstArchiving(tx, campaign.id)
  return tx
    .selectFrom('claims')
    .selectAll()
    .where('id', '=', claimId)
    .where('campaign_id', '=', campaign.id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Refuses if the campaign is archived. Otherwise, archiving waits until the transaction ends. */
async function lockAgainstArchiving(tx: Tx, campaignId: string): Promise<void> {
  const campaign = await tx
    .selectFrom('campaigns')
    .select('archived_at')
    .where('id', '=', campaignId)
    .forKeyShare()
    .executeTakeFirst()
  if (campaign?.archived_at) throw refuse('campaign_archived')
}

/** Locks the participant's live claim, which is the only one that is not rejected. */
export function lockLiveClaim(tx: Tx, { campaign }: Deps, userId: string): Promise<LockedClaim | undefined> {
  return tx
    .selectFrom('claims')
    .selectAll()
    .where('campaign_id', '=', campaign.id)
    .where('user_id', '=', userId)
    .where('status', '!=', 'rejected')
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/**
 * @throws refusals `campaign_archived`, `claim_not_found`, `own_claim`, and `forbidden` if the reviewer is no
 * longer an administrator, which can happen in the middle of a bulk call.
 */
export async function lockClaimForReview(
  tx: Tx,
  deps: Deps,
  { claimId, reviewer }: ReviewAction,
): Promise<LockedClaim> {
  const claim = await lockClaimById(tx, deps, claimId)
  if (!claim) throw refuse('claim_not_found')
  if (claim.user_id === reviewer.userId) throw refuse('own_claim')
  await refuseUnlessAdministrator(tx, reviewer.userId)
  return claim
}

/**
 * Whether the review lock `l` is valid. A lock that ends too far ahead is not: it was acquired before the
 * clock was set back. The limit is twice LOCK_SECONDS because `now()` is when this transaction began, perhaps
 * long before the lock was acquired.
 */
export const IS_LOCKED = sql<boolean>`(
  l.until > now() and l.until < now() + make_interval(secs => ${sql.lit(2 * LOCK_SECONDS)}))`

/** @throws refusal `claim_locked`, which names the reviewer who holds the review lock. */
export async function refuseIfLocked(tx: Tx, { claimId, reviewer }: ReviewAction): Promise<void> {
  const lock = await tx
    .selectFrom('review_locks as l')
    .innerJoin('users as u', 'u.id', 'l.reviewer')
    .select('u.username')
    .where('l.claim_id', '=', claimId)
    .where('l.reviewer', '!=', reviewer.userId)
    .where(IS_LOCKED)
    .executeTakeFirst()
  if (lock) throw refuse('claim_locked', { by: lock.username })
}

export type DecisionAction = ReviewAction & {
  /** The revision that the reviewer decides on. By default, the newest revision that was shown to them. */
  revision?: string | undefined
  /** Set for a bulk decision, which may decide held claims only if they belong to the cluster `clusterId`. */
  bulk?: { clusterId?: string | undefined }
}

/**
 * @throws refusals `claim_locked`, and `claim_held` for a bulk decision on a held claim outside the cluster
 * that the decision is about.
 */
export async function refuseIfHeldOrLocked(
  tx: Tx,
  claim: LockedClaim,
  action: DecisionAction,
): Promise<void> {
  const { bulk } = action
  const isHeldInBulk = claim.status === 'held' && bulk !== undefined
  if (isHeldInBulk && !(await isInCluster(tx, claim, bulk.clusterId))) throw refuse('claim_held')
  await refuseIfLocked(tx, action)
}

async function isInCluster(tx: Tx, claim: LockedClaim, clusterId: string | undefined): Promise<boolean> {
  if (clusterId === undefined) return false
  const member = await tx
    .selectFrom('clusters')
    .select('user_id')
    .where('campaign_id', '=', claim.campaign_id)
    .where('user_id', '=', claim.user_id)
    .where('cluster_id', '=', clusterId)
    .executeTakeFirst()
  return member !== undefined
}
