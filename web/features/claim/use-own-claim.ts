import { ownClaim, type OwnClaim } from '#contract/claims/claims.ts'
import { useData } from '#web/features/api/use-data.ts'
import { isLoggedIn } from '#web/features/session/session.ts'

export const OWN_CLAIM_QUERY = ['own-claim']

const POLL_MS = 15_000

/** The participant's claim, slot and timeline. Disabled unless they are logged in. */
export function useOwnClaim() {
  return useData(ownClaim, {
    queryKey: OWN_CLAIM_QUERY,
    enabled: isLoggedIn(),
    refetchInterval: ({ state }) => (canChange(state.data) ? POLL_MS : false),
  })
}

/** Whether polling is worthwhile: a rejection may be undone, a slot freed. Approvals rarely change. */
function canChange(current: OwnClaim | undefined): boolean {
  const { waiting, slot: reservation, claim } = current ?? {}
  return Boolean(waiting || reservation || (claim && claim.status !== 'approved'))
}
