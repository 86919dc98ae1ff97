import { type ClaimStatus, isDecided } from '#contract/entities.ts'
import type { ReviewRow, Risk } from '#contract/dashboard/review.ts'
import type { Claimant } from '#contract/claims/claims.ts'
import type { Proof } from '#contract/claims/proof.ts'
import { EMPTY_PROOF, proofOf } from '#web/features/claim/proof.ts'

/** A row of the review screen, in the list of all claimants or in a filtered list of claims. */
export type ReviewRowView = Proof & {
  /** Null for a participant without a claim. */
  claimId: string | null
  /** The participant's id in the list of all claimants, the claim's id in a filtered list. */
  key: string
  /** Revision of the displayed proof; undefined if the server did not send it. */
  revision: string | undefined
  username: string
  email: string
  status: ClaimStatus | null
  /** Null in the list of all claimants, which does not contain it. */
  riskBand: Risk | null
  /** The name of another administrator who has the review lock; null if no one has. */
  lockedBy: string | null
  /** Whether the claim is the administrator's own. False in the list of all claimants, which does not say. */
  isOwn: boolean
}

/** The API calls a participant's claim `taskId`. */
export function rowOfClaimant({ _id, username, email, taskId: claim }: Claimant): ReviewRowView {
  return {
    key: _id,
    claimId: claim?._id ?? null,
    revision: claim?.revision,
    username,
    email,
    ...proofOf(claim ?? EMPTY_PROOF),
    status: claim ? statusOf(claim) : null,
    riskBand: null,
    lockedBy: null,
    isOwn: false,
  }
}

function statusOf({ approved, underReview, status }: NonNullable<Claimant['taskId']>): ClaimStatus {
  if (approved) return 'approved'
  return status ?? (underReview ? 'under_review' : 'submitted')
}

export function rowOfClaim({ _id, lock, ...row }: ReviewRow): ReviewRowView {
  const lockedBy = lock && !lock.isMine ? lock.by : null
  return { ...row, key: _id, claimId: _id, lockedBy }
}

export const isUndecided = ({ status }: { status: string | null }) => status !== null && !isDecided(status)

export const mayDecide = ({ isOwn, lockedBy }: ReviewRowView) => !isOwn && lockedBy === null
