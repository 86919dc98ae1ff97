import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'react-hot-toast/headless'
import { logout, logoutAll } from '#contract/accounts/sessions.ts'
import { PROFILE } from '#messages/profile.js'
import { messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { navigate } from '#web/features/navigation/location.ts'
import { endSession } from '#web/features/session/session.ts'
import { ROUTES } from '#web/routes.ts'

/** Ends the local session even if the call fails; `everywhere` ends all other sessions too. */
export function useLogout() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (everywhere: boolean) => call(everywhere ? logoutAll : logout, {}),
    onSuccess: () => toast.success(PROFILE.loggedOut),
    onError: (error) => toast.error(messageOf(error, PROFILE.logoutFailed)),
    onSettled: () => {
      endSession()
      navigate(ROUTES.login.path)
      queries.clear()
    },
  })
}
