import { useQuery } from '@tanstack/react-query'
import { ownClaim } from '#contract/claims.ts'
import type { OwnClaim } from '#contract/claims.ts'
import { call } from '#web/features/api/call.ts'
import { isLoggedIn } from '#web/features/session/session.ts'

export const OWN_CLAIM_QUERY = 'my-task'

/** How often what others decide about is looked up again, in milliseconds. */
const WAITING_MS = 15_000

/** Where the participant stands; asks nothing when nobody is logged in. A screen does without it if it fails. */
export function useOwnClaim() {
  return useQuery({
    queryKey: [OWN_CLAIM_QUERY],
    queryFn: async () => (await call(ownClaim, {})).data,
    enabled: isLoggedIn(),
    refetchInterval: ({ state }) => (mayChange(state.data) ? WAITING_MS : false),
  })
}

/** A rejection may still be taken back, and a slot come free. */
function mayChange(mine: OwnClaim | undefined): boolean {
  return Boolean(mine?.waiting || mine?.slot || (mine?.claim && mine.claim.status !== 'approved'))
}
