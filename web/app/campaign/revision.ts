import type { OwnClaim } from '#contract/claims.ts'
import { ROUTES } from '#web/routes.ts'

/** What the address of the airdrop says to begin at the proof, with the claim of before in it. */
export const AT_PROOF = { name: 'step', value: 'proof' } as const
export const REVISING = `${ROUTES.airdrop.path}?${AT_PROOF.name}=${AT_PROOF.value}`

/** The claim that a form is about: one that waits is edited, one that was rejected is corrected by a new attempt. */
export type Revision = NonNullable<OwnClaim['claim']>

/** The claim of before, as far as its participant can still do something about it. */
export function revisionOf(mine: OwnClaim | undefined): Revision | undefined {
  const claim = mine?.claim
  return claim && (claim.isEditable || claim.status === 'rejected') ? claim : undefined
}
