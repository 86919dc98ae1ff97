import type { ClaimStatus } from '#contract/entities.ts'
import type { ReviewRow, Risk } from '#contract/review.ts'
import type { Submitter } from '#contract/claims.ts'

/** A line of the desk, from whichever list it comes. */
export type ReviewRowView = {
  /** The claim; null for somebody without one. */
  claimId: string | null
  key: string
  /** Of the proof that this line shows; absent where the server tells none. */
  revision: string | undefined
  username: string
  email: string
  wallet: string
  telegram: string
  twitter: string
  retweetLink: string
  status: ClaimStatus | null
  /** Known in the filtered lists only. */
  risk: Risk | null
  /** The other administrator who has it open. */
  heldBy: string | null
  isOwn: boolean
}

/** A line of the list of everybody who submitted. */
export function rowOfSubmission({ _id, username, email, taskId }: Submitter): ReviewRowView {
  return {
    key: _id,
    claimId: taskId?._id ?? null,
    revision: taskId?.revision,
    username,
    email,
    wallet: taskId?.wallet ?? '',
    telegram: taskId?.telegram ?? '',
    twitter: taskId?.twitter ?? '',
    retweetLink: taskId?.retweetLink ?? '',
    status: taskId ? statusOf(taskId) : null,
    risk: null,
    heldBy: null,
    isOwn: false,
  }
}

function statusOf({ approved, underReview, status }: NonNullable<Submitter['taskId']>): ClaimStatus {
  if (approved) return 'approved'
  return status ?? (underReview ? 'under_review' : 'submitted')
}

/** A line of a filtered list. */
export function rowOfClaim(row: ReviewRow): ReviewRowView {
  const {
    _id,
    revision,
    username,
    email,
    wallet,
    telegram,
    twitter,
    retweetLink,
    status,
    riskBand,
    lock,
    isOwn,
  } = row
  return {
    key: _id,
    claimId: _id,
    revision,
    username,
    email,
    wallet,
    telegram,
    twitter,
    retweetLink,
    status,
    risk: riskBand,
    heldBy: lock && !lock.isMine ? lock.by : null,
    isOwn,
  }
}

/** Whether there is something left to decide. */
export const isWaiting = ({ status }: { status: string | null }) =>
  status === 'submitted' || status === 'under_review' || status === 'held'
