import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tx } from '../platform/database.ts'
import type { Claims } from '../platform/database.types.ts'
import type { Caller } from '../platform/http/route.ts'
import { refuse } from '../platform/refusal.ts'
import { seenRevision } from './seen-revisions.ts'

/** One claim, and the administrator who does something to it. */
export type Reviewing = { claimId: string; reviewer: Caller; network: string }

export type LockedClaim = Selectable<Claims>

/**
 * The claim, locked until the transaction ends: whoever comes second sees what the first did. Everything that
 * changes a claim begins here, so that all of it has one order.
 * @returns undefined when there is none of that id in the campaign.
 */
export function lockRow(tx: Tx, { campaign }: Deps, claimId: string): Promise<LockedClaim | undefined> {
  return tx
    .selectFrom('claims')
    .selectAll()
    .where('id', '=', claimId)
    .where('campaign_id', '=', campaign.id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** The claim that a participant has in the campaign and that was not rejected, locked in the same way. */
export function lockLive(tx: Tx, { campaign }: Deps, userId: string): Promise<LockedClaim | undefined> {
  return tx
    .selectFrom('claims')
    .selectAll()
    .where('campaign_id', '=', campaign.id)
    .where('user_id', '=', userId)
    .where('status', '!=', 'rejected')
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** The same for a reviewer. @throws refusal for an unknown claim and for one's own. */
export async function lockClaimForReview(
  tx: Tx,
  deps: Deps,
  { claimId, reviewer }: Reviewing,
): Promise<LockedClaim> {
  const claim = await lockRow(tx, deps, claimId)
  if (!claim) throw refuse('claim_not_found')
  if (claim.user_id === reviewer.userId) throw refuse('own_claim')
  return claim
}

/** @throws refusal `claim_locked` with the name of another reviewer who has the claim. */
export async function refuseIfLocked(tx: Tx, { claimId, reviewer }: Reviewing): Promise<void> {
  const lock = await tx
    .selectFrom('review_locks as l')
    .innerJoin('users as u', 'u.id', 'l.reviewer')
    .select('u.username')
    .where('l.claim_id', '=', claimId)
    .where('l.reviewer', '!=', reviewer.userId)
    .where('l.until', '>', sql<Date>`now()`)
    .executeTakeFirst()
  if (lock) throw refuse('claim_locked', { by: lock.username })
}

/**
 * What is being decided. `revision`: of the proof that the reviewer saw, else the last that was shown to them.
 * `bulk`: among others, those of the cluster named together.
 */
export type Deciding = Reviewing & {
  revision?: string | undefined
  bulk?: { clusterId?: string | undefined }
}

/** @throws refusal `claim_changed` when the claim has another proof than the one that is being decided. */
export async function refuseIfChanged(tx: Tx, claim: LockedClaim, deciding: Deciding): Promise<void> {
  const seen = deciding.revision ?? String(await seenRevision(tx, claim.id, deciding.reviewer.userId))
  if (seen !== String(claim.revision)) throw refuse('claim_changed')
}

/**
 * @throws refusal `claim_held` for a claim that is held, unless it is decided by itself or with its cluster, and
 * `claim_locked` as {@link refuseIfLocked}.
 */
export async function refuseUnlessFree(tx: Tx, claim: LockedClaim, deciding: Deciding): Promise<void> {
  const { bulk } = deciding
  if (claim.status === 'held' && bulk && !(await isInCluster(tx, claim, bulk.clusterId)))
    throw refuse('claim_held')
  await refuseIfLocked(tx, deciding)
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
