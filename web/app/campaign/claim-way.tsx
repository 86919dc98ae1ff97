import { toast } from 'react-hot-toast/headless'
import type { User } from '#contract/entities.ts'
import type { MyTask } from '#contract/tasks.ts'
import { PROOF, START } from '#web/content/airdrop.ts'
import { WAITING_LIST } from '#web/content/claim.ts'
import { Until } from '#web/features/time/until.tsx'
import { Button } from '#web/ui/button.tsx'
import { useCampaign } from './use-campaign.ts'
import { JoinWaitingList, WaitingPlace } from './waiting-list.tsx'

type ClaimWayProps = {
  user: User
  /** How things stand; undefined where that could not be fetched. */
  mine: MyTask | undefined
  onClaim: () => void
}

/** What a participant can do next: claim, or wait for a slot when there is none for them. */
export function ClaimWay({ user, mine, onClaim }: ClaimWayProps) {
  const { data } = useCampaign()
  if (!user.isTaskCompleted && mine && !mine.slot) {
    if (mine.waiting) return <WaitingPlace place={mine.waiting.place} />
    if (data?.slots.left === 0) return <JoinWaitingList />
  }
  const claim = () => (user.isTaskCompleted ? toast.error(PROOF.alreadyClaimed) : onClaim())
  return (
    <>
      <Button className="w-full sm:w-auto sm:px-10" disabled={user.isTaskCompleted} onClick={claim}>
        {user.isTaskCompleted ? START.claimed : START.claim}
      </Button>
      {!user.isTaskCompleted && mine?.slot && (
        <p className="mt-3">
          {mine.slot.until === null ? (
            WAITING_LIST.keptForAppeal
          ) : (
            <>
              {WAITING_LIST[mine.slot.state]} <Until at={mine.slot.until} />.
            </>
          )}
        </p>
      )}
    </>
  )
}
