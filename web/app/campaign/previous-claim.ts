import type { OwnClaim } from '#contract/claims/claims.ts'
import { ROUTES } from '#web/routes.ts'

/** The query parameter that opens the proof step of the airdrop, filled in with the previous claim. */
export const PROOF_STEP = { name: 'step', value: 'proof' } as const
export const PROOF_STEP_PATH = `${ROUTES.airdrop.path}?${PROOF_STEP.name}=${PROOF_STEP.value}`

/** The claim that the form edits (while it waits) or corrects with a new attempt (after a rejection). */
export type PreviousClaim = NonNullable<OwnClaim['claim']>

export function previousClaimOf(ownClaim: OwnClaim | undefined): PreviousClaim | undefined {
  const claim = ownClaim?.claim
  return claim && (claim.isEditable || claim.status === 'rejected') ? claim : undefined
}

/** A reserved slot or a place on the waiting list allows one more attempt. */
export function hasNoAttemptsLeft({ attemptsLeft, slot, waiting }: OwnClaim): boolean {
  return attemptsLeft === 0 && slot?.state !== 'reserved' && !waiting
}
