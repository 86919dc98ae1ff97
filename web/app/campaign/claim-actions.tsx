import type { User } from '#contract/entities.ts'
import type { OwnClaim } from '#contract/claims/claims.ts'
import { isOver } from '#contract/phase.ts'
import { START } from '#messages/airdrop.js'
import { WAITING_LIST, YOUR_CLAIM } from '#messages/claim.js'
import { DateTimeIn } from '#web/features/time/time.tsx'
import { ROUTES } from '#web/routes.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonStyle } from '#web/ui/button-style.ts'
import { ScreenLink } from '../screen-link.tsx'
import { hasNoAttemptsLeft } from './previous-claim.ts'
import { useStage } from './use-campaign.ts'
import { JoinWaitingList, WaitingPlace } from './waiting-list.tsx'

type ClaimActionsProps = {
  user: User
  /** Has `claim: null` without a claim; undefined if it could not be fetched. */
  ownClaim: OwnClaim | undefined
  onClaim: () => void
}

/** The participant's next step: claim, or join the waiting list when no slot is free. */
export function ClaimActions({ user, ownClaim, onClaim }: ClaimActionsProps) {
  const { stage } = useStage()
  if (!user.isTaskCompleted && ownClaim) {
    const { slot, waiting } = ownClaim
    if (hasNoAttemptsLeft(ownClaim)) return <p>{YOUR_CLAIM.attemptsOver}</p>
    if (!slot && waiting) return <WaitingPlace place={waiting.place} />
    if (!slot && stage === 'full') return <JoinWaitingList />
  }
  // A kept or reserved slot stays claimable after the campaign ends, until it expires.
  const isMissed = isOver(stage) && !ownClaim?.slot
  if (isMissed && !user.isTaskCompleted)
    return (
      <ScreenLink
        href={ROUTES.leaderboard.path}
        className={buttonStyle('primary', 'normal', 'w-full sm:w-auto sm:px-10')}
      >
        {START.leaderboard}
      </ScreenLink>
    )
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <Button
          className="w-full sm:w-auto sm:px-10"
          disabled={user.isTaskCompleted || stage === 'before' || stage === 'paused'}
          onClick={onClaim}
        >
          {user.isTaskCompleted ? START.claimed : START.claim}
        </Button>
        {user.isTaskCompleted && (
          <ScreenLink href={ROUTES.profile.path} className="standalone-link">
            {START.seeClaim}
          </ScreenLink>
        )}
      </div>
      {!user.isTaskCompleted && ownClaim?.slot && (
        <p className="mt-3">
          {ownClaim.slot.until === null ? (
            WAITING_LIST.keptForAppeal
          ) : (
            <>
              <DateTimeIn message={WAITING_LIST[ownClaim.slot.state]} at={ownClaim.slot.until} />
              {stage === 'paused' && ` ${WAITING_LIST.stands}`}
            </>
          )}
        </p>
      )}
    </>
  )
}
