import { useQuery } from '@tanstack/react-query'
import { profile, type Profile } from '#contract/accounts/accounts.ts'
import type { User } from '#contract/entities.ts'
import { isUnauthorized } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { removeExpiredSession, isLoggedIn } from '#web/features/session/session.ts'
import { readStored } from '#web/features/session/storage.ts'

export const PROFILE_QUERY = ['profile']

/** Polling interval while the claim is not approved. */
const POLL_MS = 15_000

/** The logged-in account; disabled when not logged in. */
export function useProfile() {
  return useQuery({
    queryKey: PROFILE_QUERY,
    queryFn: fetchProfile,
    enabled: isLoggedIn(),
    refetchInterval: ({ state }) => (canChange(state.data) ? POLL_MS : false),
  })
}

/** Fetches the profile; a 401 ends the expired session. */
async function fetchProfile(): Promise<Profile> {
  const token = readStored('token')
  try {
    return (await call(profile, {})).data
  } catch (error) {
    if (isUnauthorized(error)) removeExpiredSession(token)
    throw error
  }
}

/** Whether the account's claim (`taskId`) can still be approved: even a rejection may be undone. */
function canChange(user: User | undefined): boolean {
  return Boolean(user?.taskId && !user.taskId.approved)
}
