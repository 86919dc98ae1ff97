import type { CampaignLife } from '#contract/dashboard/campaign-life.ts'
import { fieldsOf } from '#web/features/api/api-error.ts'
import { type StateReply, useStateChange } from '../common/use-change.ts'

export const LIFE_QUERY = ['campaign-life']

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
