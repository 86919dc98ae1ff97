import type { Campaign } from '#contract/campaign.ts'
import { AIRDROP } from '#web/content/airdrop.ts'
import { grouped } from '#web/features/figures/figures.ts'
import { useCampaign, useSlotNews } from './use-campaign.ts'

/** How many slots are left. Nothing is shown, and room is kept, while that is not known. */
export function Slots() {
  const { data } = useCampaign()
  useSlotNews()
  return <div className="mt-6 min-h-16">{data && <SlotCount campaign={data} />}</div>
}

function SlotCount({ campaign: { slots, open } }: { campaign: Campaign }) {
  const note = slotNote(slots.left, open)
  return (
    <>
      <p className="label">{AIRDROP.slots}</p>
      <p className="figures">
        <strong className="text-xl font-bold">{grouped(slots.left)}</strong>{' '}
        <span className="text-ink-soft">
          {AIRDROP.of} {grouped(slots.total)}
        </span>
      </p>
      {note && <p className="mt-2 font-semibold text-signal-text">{note}</p>}
    </>
  )
}

function slotNote(left: number, open: boolean): string | null {
  if (left === 0) return AIRDROP.slotsGone
  return open ? null : AIRDROP.notOpen
}
