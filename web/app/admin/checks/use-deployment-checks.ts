import { useQuery } from '@tanstack/react-query'
import { examineDeployment } from '#contract/dashboard/deployment.ts'
import { CHECKS } from '#messages/dashboard-setup.js'
import { isUnauthorized, messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'

/** The checks of the deployment, run when the screen opens and again on demand. */
export function useDeploymentChecks(enabled = true) {
  const { data, error, isError, isFetching, refetch } = useQuery({
    queryKey: ['deployment checks'],
    queryFn: async () =>
      (await call(examineDeployment, { body: { browserTime: Date.now(), origin: location.origin } })).data,
    enabled,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
  return {
    findings: data,
    error,
    /** Whether the session has ended. */
    isOver: isUnauthorized(error),
    problem: isError ? messageOf(error, CHECKS.failed) : undefined,
    isRunning: isFetching,
    runAgain: () => void refetch(),
  }
}
