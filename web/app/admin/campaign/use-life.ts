import { useQuery } from '@tanstack/react-query'
import { campaignLife, type CampaignLife } from '#contract/dashboard/campaign-life.ts'
import { fieldsOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { type StateReply, useStateChange } from '../use-change.ts'

const LIFE_QUERY = ['campaign-life']
/** Polling interval: claims come in while the screen is open. */
const POLL_MS = 30_000

/** The campaign with everything that determines what can be done next. */
export function useLife() {
  return useQuery({
    queryKey: LIFE_QUERY,
    queryFn: async () => (await call(campaignLife, {})).data,
    refetchInterval: POLL_MS,
  })
}

/**
 * A call that replies with the new state. `errors` has the refused fields, by name or by setting path;
 * `reset` forgets them.
 */
export function useLifeChange<Args>(
  send: (args: Args) => Promise<StateReply<CampaignLife>>,
  onDone?: () => void,
) {
  const { mutate, isPending, error, reset } = useStateChange({ queryKey: LIFE_QUERY, send, onDone })
  return { send: mutate, isPending, errors: fieldsOf(error), reset }
}
