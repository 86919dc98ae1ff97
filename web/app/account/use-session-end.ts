import { useQueryClient } from '@tanstack/react-query'
import { flushSync } from 'react-dom'
import { navigate } from '#web/features/navigation/location.ts'
import { endSession } from '#web/features/session/session.ts'
import { ROUTES } from '#web/routes.ts'

/** @returns a function that ends the session, only in this browser, and opens the login screen. */
export function useSessionEnd(): () => void {
  const queries = useQueryClient()
  return () => {
    endSession()
    // Rendered at once, so that the profile is gone before its data are cleared.
    flushSync(() => navigate(ROUTES.login.path))
    queries.clear()
  }
}
