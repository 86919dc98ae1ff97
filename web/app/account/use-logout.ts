import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'react-hot-toast/headless'
import { useNavigate } from 'react-router'
import { logout, logoutAll } from '#contract/sessions.ts'
import { PROFILE } from '#web/content/profile.ts'
import { messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { endSession } from '#web/features/session/session.ts'
import { ROUTES } from '#web/routes.ts'

/** Ends the local session even if the call fails; `everywhere` ends all other sessions too. */
export function useLogout() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ everywhere }: { everywhere: boolean }) => call(everywhere ? logoutAll : logout, {}),
    onSuccess: () => toast.success(PROFILE.loggedOut),
    onError: (error) => toast.error(messageOf(error, PROFILE.logoutFailed)),
    onSettled: async () => {
      endSession()
      await navigate(ROUTES.login.path)
      queries.clear()
    },
  })
}
