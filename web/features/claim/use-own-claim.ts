import { useQuery } from '@tanstack/react-query'
import { ownClaim, type OwnClaim } from '#contract/claims/claims.ts'
import { call } from '#web/features/api/call.ts'
import { isLoggedIn } from '#web/features/session/session.ts'

export const OWN_CLAIM_QUERY = ['my-task']

/** Polling interval while the claim or the slot can change. */
const POLL_MS = 15_000

/** The participant's claim, slot and timeline; disabled when not logged in. */
export function useOwnClaim() {
  return useQuery({
    queryKey: OWN_CLAIM_QUERY,
    queryFn: async () => (await call(ownClaim, {})).data,
    enabled: isLoggedIn(),
    refetchInterval: ({ state }) => (canChange(state.data) ? POLL_MS : false),
  })
}

/** Whether polling is worth it: a rejection may be undone, or a slot freed. Approvals rarely change. */
function canChange(current: OwnClaim | undefined): boolean {
  const { waiting, slot: reservation, claim } = current ?? {}
  return Boolean(waiting || reservation || (claim && claim.status !== 'approved'))
}
