import type { Payout } from '#contract/dashboard/payouts.ts'
import { PAYOUT } from '#messages/dashboard-payout.js'
import { Ago } from '#web/features/time/time.tsx'
import { shortAddress } from '#web/ui/format.ts'
import { DashboardSection } from '../dashboard-section.tsx'

/** Freezes that were undone, with their reasons. */
export function ThawedFreezes({ thawed }: Pick<Payout, 'thawed'>) {
  if (thawed.length === 0) return null
  return (
    <DashboardSection title={PAYOUT.thawed}>
      <ul className="grid gap-3">
        {thawed.map(({ number, root, thawedAt, reason }) => (
          <li key={number} className="grid gap-0.5 border-b border-hairline pb-3">
            <p className="flex flex-wrap gap-x-4 text-sm text-ink-soft">
              <span>#{number}</span>
              <span className="font-mono" title={root}>
                {shortAddress(root)}
              </span>
              <Ago at={thawedAt} />
            </p>
            <p dir="auto">{reason}</p>
          </li>
        ))}
      </ul>
    </DashboardSection>
  )
}
