import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toast } from 'react-hot-toast/headless'
import { campaignLife, type CampaignLife } from '#contract/dashboard/campaign-life.ts'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { fieldsOf, messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { mayBeAdministrator } from '../dashboard-screen.tsx'

const LIFE_QUERY = ['campaign-life']
/** Claims come in while the screen is open. */
const POLL_MS = 30_000

/** The campaign with everything that decides what may be done next. */
export function useLife() {
  return useQuery({
    queryKey: LIFE_QUERY,
    queryFn: async () => (await call(campaignLife, {})).data,
    enabled: mayBeAdministrator(),
    refetchInterval: POLL_MS,
  })
}

type Reply = { data: CampaignLife; message: string }

/** A call that replies with the new state; `errors` are the reasons of refused fields. */
export function useLifeChange<Args>(send: (args: Args) => Promise<Reply>, onDone?: () => void) {
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: send,
    onSuccess: async ({ data, message }) => {
      // An answer from before the change, still under way, must not replace it.
      await queries.cancelQueries({ queryKey: LIFE_QUERY })
      queries.setQueryData(LIFE_QUERY, data)
      toast.success(message)
      onDone?.()
    },
    onError: (refusal) => {
      void queries.invalidateQueries({ queryKey: LIFE_QUERY })
      toast.error(messageOf(refusal, DASHBOARD_WORDS.notDone))
    },
  })
  return { send: mutate, isPending, errors: fieldsOf(error) }
}
