import type { ProofClaim } from '#contract/token-proofs/proof.ts'
import type { TokenProof } from '#contract/token-proofs.ts'
import { VERIFIED_STAMP } from '#messages/proofs.js'
import { Stamp } from '#web/ui/stamp.tsx'

export const PROOF_PANEL_ID = 'proofs'

type VerifiedStampProps = {
  claim: ProofClaim | undefined
  proofs: readonly TokenProof[]
  /** The address of the proof panel; by default, on this page. */
  panelUrl?: string | undefined
}

/** Stamps a text that states a claim, as long as the claim is proven. */
export function VerifiedStamp({ claim, proofs, panelUrl = `#${PROOF_PANEL_ID}` }: VerifiedStampProps) {
  const isProven = proofs.some((proof) => proof.claim === claim && proof.verdict === 'proven')
  if (!isProven) return null
  return (
    <a href={panelUrl} className="mt-3 inline-flex min-h-11 items-center">
      <Stamp tone="proof">{VERIFIED_STAMP.label}</Stamp>
    </a>
  )
}
