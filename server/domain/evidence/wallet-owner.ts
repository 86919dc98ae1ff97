import type { ClaimToCheck, Finding, Source } from './finding.ts'
import { FINDING_WORDS } from './words.ts'

/** Checks whether the participant has proven the claim's wallet, which is optional. Needs no network. */
export const walletOwnerSource: Source = {
  name: 'wallet signature',
  checks: ['wallet-owned'],
  run: async (claim) => ({ findings: [checkOwner(claim)] }),
}

type Owned = Pick<ClaimToCheck, 'wallet' | 'proven_wallet' | 'proven_kind' | 'is_proven_by_other'>

/** Compares the claim's wallet with proven ones. Proving one is optional, so only another participant's proof contradicts. Pure. */
export function checkOwner(claim: Owned): Finding {
  const found = (outcome: Finding['outcome'], detail: string): Finding => {
    return { check: 'wallet-owned', outcome, detail, source: walletOwnerSource.name }
  }
  const { wallet, proven_wallet: proven, proven_kind: kind, is_proven_by_other: isOfOther } = claim
  if (proven?.toLowerCase() === wallet.toLowerCase())
    return found('confirmed', FINDING_WORDS.walletProven(kind))
  if (isOfOther) return found('contradicted', FINDING_WORDS.walletOfOther)
  const detail = proven === null ? FINDING_WORDS.walletNotProven : FINDING_WORDS.walletProvenOther(proven)
  return found('could_not_tell', detail)
}
