import type { CampaignLife } from '#contract/dashboard/campaign-life.ts'
import { type StateReply, useStateChange } from '../api/use-change.ts'

export const LIFE_QUERY = ['campaign-life']

/** A call that replies with the new state. The keys of its `errors` are field names or setting paths. */
export const useLifeChange = <Args>(
  send: (args: Args) => Promise<StateReply<CampaignLife>>,
  onDone?: () => void,
) => useStateChange({ queryKey: LIFE_QUERY, send, onDone })
