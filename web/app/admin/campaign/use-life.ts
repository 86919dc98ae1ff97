import type { CampaignLife } from '#contract/dashboard/campaign-life.ts'
import { type StateReply, useStateChange } from '../common/use-change.ts'

export const LIFE_QUERY = ['campaign-life']

/** A call that replies with the new state. Its `errors` are by name or by setting path. */
export const useLifeChange = <Args>(
  send: (args: Args) => Promise<StateReply<CampaignLife>>,
  onDone?: () => void,
) => useStateChange({ queryKey: LIFE_QUERY, send, onDone })
