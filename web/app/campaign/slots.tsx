import type { Campaign } from '#contract/campaign.ts'
import { AIRDROP } from '#web/content/airdrop.ts'
import { formatInteger } from '#web/features/figures/figures.ts'
import { useCampaign, useSlotUpdates } from './use-campaign.ts'

/** The number of free slots. Reserves its space while loading. */
export function Slots() {
  const { data } = useCampaign()
  useSlotUpdates()
  return <div className="mt-6 min-h-16">{data && <SlotCount slots={data.slots} />}</div>
}

function SlotCount({ slots }: Pick<Campaign, 'slots'>) {
  return (
    <>
      <p className="label">{AIRDROP.slots}</p>
      <p className="figures">
        <strong className="text-xl font-bold">{formatInteger(slots.left)}</strong>{' '}
        <span className="text-ink-soft">
          {AIRDROP.outOf} {formatInteger(slots.total)}
        </span>
      </p>
      {slots.left === 0 && <p className="mt-2 font-semibold text-signal-text">{AIRDROP.noSlotsLeft}</p>}
    </>
  )
}
