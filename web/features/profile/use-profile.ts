import { useQuery } from '@tanstack/react-query'
import { profile } from '#contract/accounts.ts'
import type { User } from '#contract/entities.ts'
import { isDead } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { dropDeadSession, isLoggedIn } from '#web/features/session/session.ts'

/** How often a claim that is not approved is looked up again, in milliseconds. */
const WAITING_MS = 15_000

/** The account of whoever is logged in; asks nothing when nobody is. */
export function useProfile() {
  return useQuery({
    queryKey: ['profile'],
    queryFn: fetchProfile,
    enabled: isLoggedIn(),
    refetchInterval: ({ state }) => (mayChange(state.data) ? WAITING_MS : false),
  })
}

async function fetchProfile(): Promise<User> {
  try {
    return (await call(profile, {})).data
  } catch (error) {
    if (isDead(error)) dropDeadSession()
    throw error
  }
}

/** A claim that was rejected may be opened again. */
function mayChange(user: User | undefined): boolean {
  return Boolean(user?.taskId && !user.taskId.approved)
}
