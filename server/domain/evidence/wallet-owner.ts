import type { ClaimToCheck, Finding, Source } from './finding.ts'
import type { Found } from './words.ts'

/** Checks whether the participant has proven the claim's wallet, which is optional. Needs no network. */
export const walletOwnerSource: Source = {
  name: 'wallet signature',
  checks: ['wallet-owned'],
  run: async (claim) => ({ findings: [checkOwner(claim)] }),
}

type Owned = Pick<ClaimToCheck, 'wallet' | 'proven_wallet' | 'proven_kind' | 'is_proven_by_other'>

/** Compares the claim's wallet with proven ones. Proving one is optional, so only another participant's proof contradicts. Pure. */
export function checkOwner(claim: Owned): Finding {
  const finding = (outcome: Finding['outcome'], found: Found): Finding => {
    return { check: 'wallet-owned', outcome, found, source: walletOwnerSource.name }
  }
  const { wallet, proven_wallet: proven, proven_kind: kind, is_proven_by_other: isOfOther } = claim
  if (proven?.toLowerCase() === wallet.toLowerCase())
    return finding('confirmed', { code: kind === 'contract' ? 'wallet_proven_contract' : 'wallet_proven' })
  if (isOfOther) return finding('contradicted', { code: 'wallet_of_other' })
  return finding(
    'could_not_tell',
    proven === null ? { code: 'wallet_not_proven' } : { code: 'wallet_proven_other', address: proven },
  )
}
