import { navigate } from '#web/features/navigation/location.ts'
import type { OwnClaim } from '#contract/claims/claims.ts'
import { isOver } from '#contract/phase.ts'
import { YOUR_CLAIM } from '#messages/claim.js'
import { DateTimeIn, formatDuration } from '#web/features/time/time.tsx'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Button } from '#web/ui/button.tsx'
import { ROUTES } from '#web/routes.ts'
import { hasNoAttemptsLeft, PROOF_STEP_PATH } from '../campaign/previous-claim.ts'
import { useStage } from '../campaign/use-campaign.ts'
import { ScreenLink } from '../screen-link.tsx'

export function ClaimState({ ownClaim }: { ownClaim: OwnClaim }) {
  const { claim, typicalWaitSeconds } = ownClaim
  if (!claim) return null
  if (claim.status === 'approved') return <p className="text-lg">{YOUR_CLAIM.approved}</p>
  if (claim.status === 'rejected') return <Rejected ownClaim={ownClaim} />
  const { heldFor, queuePlace, isEditable } = claim
  return (
    <>
      {heldFor.length > 0 && <HeldFor reasons={heldFor} />}
      {queuePlace !== null && (
        <p className="text-lg font-semibold">{queueWords(queuePlace, typicalWaitSeconds)}</p>
      )}
      {isEditable && <EditClaim />}
    </>
  )
}

function HeldFor({ reasons }: { reasons: readonly string[] }) {
  return (
    <div className="grid gap-3">
      <p>{YOUR_CLAIM.heldLead}</p>
      <ul className="grid gap-2 border-s-[3px] border-accent ps-4">
        {reasons.map((reason) => (
          <li key={reason} dir="auto" className="text-lg wrap-anywhere">
            {reason}
          </li>
        ))}
      </ul>
      <p className="text-ink-soft">{YOUR_CLAIM.heldHint}</p>
    </div>
  )
}

const queueWords = (place: number, waitSeconds: number | null) =>
  waitSeconds === null
    ? YOUR_CLAIM.queue({ place })
    : YOUR_CLAIM.queueWithWait({ place, wait: formatDuration(waitSeconds) })

/** Not a link: the profile links to the airdrop only without a live claim (docs/specification.md). */
function EditClaim() {
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
      <Button variant="secondary" onClick={() => navigate(PROOF_STEP_PATH)}>
        {YOUR_CLAIM.edit}
      </Button>
      <p className="text-sm text-ink-soft">{YOUR_CLAIM.editHint}</p>
    </div>
  )
}

function Rejected({ ownClaim }: { ownClaim: OwnClaim }) {
  const { claim, slot, waiting, attemptsLeft } = ownClaim
  // A slot that is kept after a rejection can be claimed even after the end.
  const isTooLate = isOver(useStage().stage) && !slot
  // With a reserved slot or a place on the waiting list, `SlotState` says what to do next.
  const hasAttempt = attemptsLeft > 0 && slot?.state !== 'reserved' && !waiting
  const canCorrect = hasAttempt && !isTooLate
  return (
    <div className="grid justify-items-start gap-4">
      {claim?.rejection && (
        <>
          <p>{YOUR_CLAIM.rejectedLead}</p>
          <p
            dir="auto"
            className="border-s-[3px] border-accent ps-4 text-lg wrap-anywhere whitespace-pre-line"
          >
            {claim.rejection.text}
          </p>
        </>
      )}
      {slot?.state === 'kept' && (
        <p>
          {slot.until === null ? (
            YOUR_CLAIM.keptForAppeal
          ) : (
            <DateTimeIn message={YOUR_CLAIM.kept} at={slot.until} />
          )}
        </p>
      )}
      {hasAttempt && !slot && <p>{isTooLate ? YOUR_CLAIM.freedAndClosed : YOUR_CLAIM.freed}</p>}
      {hasNoAttemptsLeft(ownClaim) && <p>{YOUR_CLAIM.attemptsOver}</p>}
      {canCorrect && (
        <ScreenLink href={PROOF_STEP_PATH} className={buttonStyle()}>
          {YOUR_CLAIM.correct}
        </ScreenLink>
      )}
    </div>
  )
}

export function SlotState({ ownClaim: { claim, slot, waiting } }: { ownClaim: OwnClaim }) {
  if (slot?.state === 'reserved')
    return (
      <div className="grid justify-items-start gap-4">
        <p className="text-lg">
          {slot.until && <DateTimeIn message={YOUR_CLAIM.reservedLead} at={slot.until} />}
        </p>
        <ScreenLink href={claim ? PROOF_STEP_PATH : ROUTES.airdrop.path} className={buttonStyle()}>
          {YOUR_CLAIM.claim}
        </ScreenLink>
      </div>
    )
  if (!waiting) return null
  return (
    <div>
      <p className="text-lg font-semibold">{YOUR_CLAIM.waiting({ place: waiting.place })}</p>
      <p className="mt-1 text-ink-soft">{YOUR_CLAIM.waitingHint}</p>
    </div>
  )
}
