import type { OwnClaim } from '#contract/claims.ts'
import { YOUR_CLAIM } from '#web/content/claim.ts'
import { Until } from '#web/features/time/until.tsx'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { REVISION_PATH } from '../campaign/revision.ts'
import { ScreenLink } from '../screen-link.tsx'

/** The participant's reserved slot, or the position on the waiting list. */
export function SlotState({ mine: { claim, slot, waiting } }: { mine: OwnClaim }) {
  if (slot?.state === 'reserved')
    return (
      <div className="grid justify-items-start gap-4">
        <p className="text-lg">
          {YOUR_CLAIM.reservedLead} {slot.until && <Until at={slot.until} />}.
        </p>
        <ScreenLink href={claim ? REVISION_PATH : ROUTES.airdrop.path} className={buttonStyle()}>
          {YOUR_CLAIM.claim}
        </ScreenLink>
      </div>
    )
  if (!waiting) return null
  return (
    <div>
      <p className="text-lg font-semibold">{YOUR_CLAIM.waiting(waiting.place)}</p>
      <p className="mt-1 text-ink-soft">{YOUR_CLAIM.waitingHint}</p>
    </div>
  )
}
