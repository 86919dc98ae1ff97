import { type ClaimStatus, isDecided } from '#contract/entities.ts'
import type { ReviewRow, Risk } from '#contract/dashboard/review.ts'
import type { Claimant } from '#contract/claims/claims.ts'
import type { Proof } from '#contract/claims/proof.ts'
import { EMPTY_PROOF, proofOf } from '#web/features/claim/proof.ts'

/** A row of the review screen, in the list of all submitters or in a filtered list. */
export type ReviewRowView = Proof & {
  /** Null for a participant without a claim. */
  claimId: string | null
  /** Id of the participant in the list of all submitters, of the claim in a filtered list. */
  key: string
  /** Revision of the displayed proof; absent where the server does not send it. */
  revision: string | undefined
  username: string
  email: string
  status: ClaimStatus | null
  /** Null in the list of all submitters, where it is unknown. */
  riskBand: Risk | null
  /** The name of another administrator who holds the review lock; null if there is none. */
  lockedBy: string | null
  /** Whether the claim is the administrator’s own. In the list of all submitters, unknown and false. */
  isOwn: boolean
}

/** A row of the list of all submitters. */
export function rowOfClaimant({ _id, username, email, taskId }: Claimant): ReviewRowView {
  return {
    key: _id,
    claimId: taskId?._id ?? null,
    revision: taskId?.revision,
    username,
    email,
    ...proofOf(taskId ?? EMPTY_PROOF),
    status: taskId ? statusOf(taskId) : null,
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
