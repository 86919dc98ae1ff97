import type { Results } from '#contract/campaigns.ts'
import type { Stage } from '#contract/phase.ts'
import type { CampaignState } from './read-campaign.ts'

type State = Pick<CampaignState, 'isEarly' | 'isClosed' | 'paused' | 'slots'>

/** @param results null while unknown; a campaign that has ended then counts as under review. */
export function stageOf({ isEarly, isClosed, paused, slots }: State, results: Results | null): Stage {
  if (isClosed) return stageAfterClose(results)
  if (paused) return 'paused'
  if (isEarly) return 'before'
  return slots.left > 0 ? 'open' : 'full'
}

function stageAfterClose(results: Results | null): Stage {
  if (!results) return 'reviewing'
  const { payout, undecided, appeals } = results
  if (!payout) return undecided + appeals > 0 ? 'reviewing' : 'paying'
  return isPaid(payout) ? 'paid' : 'paying'
}

/** Whether every wallet has all amounts that can be read from the chain; false if none can be read. */
function isPaid({ paid }: NonNullable<Results['payout']>): boolean {
  const readable = Object.values(paid).flatMap((asset) => (asset && asset.of > 0 ? [asset] : []))
  return readable.length > 0 && readable.every(({ wallets, of }) => wallets >= of)
}
