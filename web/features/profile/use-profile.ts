import { useQuery } from '@tanstack/react-query'
import { profile, type Profile } from '#contract/accounts/accounts.ts'
import type { User } from '#contract/entities.ts'
import { isUnauthenticated } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { removeExpiredSession, isLoggedIn } from '#web/features/session/session.ts'
import { readStored } from '#web/features/session/storage.ts'

export const PROFILE_QUERY = ['profile']

const POLL_MS = 15_000

/** The account that is logged in. If none is, the query is disabled. */
export function useProfile() {
  return useQuery({
    queryKey: PROFILE_QUERY,
    queryFn: fetchProfile,
    enabled: isLoggedIn(),
    refetchInterval: ({ state }) => (canChange(state.data) ? POLL_MS : false),
  })
}

/** A 401 ends the expired session. */
async function fetchProfile(): Promise<Profile> {
  // Another login may replace the token during the call, and must not be ended.
  const token = readStored('token')
  try {
    return (await call(profile, {})).data
  } catch (error) {
    if (isUnauthenticated(error)) removeExpiredSession(token)
    throw error
  }
}

/** Whether the claim, which the API calls `taskId`, can still be approved. A rejection may be undone. */
function canChange(user: User | undefined): boolean {
  return Boolean(user?.taskId && !user.taskId.approved)
}
