import type { OwnClaim } from '#contract/claims/claims.ts'
import { joinWaitingList, leaveWaitingList } from '#contract/claims/slots.ts'
import { WAITING_LIST } from '#messages/claim.js'
import { call } from '#web/features/api/call.ts'
import { useChange } from '#web/features/api/use-change.ts'
import { OWN_CLAIM_QUERY } from '#web/features/claim/use-own-claim.ts'
import { DateTimeIn } from '#web/features/time/time.tsx'
import { Button } from '#web/ui/button.tsx'
import { CAMPAIGN_QUERY, useStage } from './use-campaign.ts'

export function JoinWaitingList() {
  const { mutate, isPending } = useWaitingListChange(() => call(joinWaitingList, {}), WAITING_LIST.joined)
  return (
    <div className="grid justify-items-start gap-4">
      <p className="max-w-[56ch]">{WAITING_LIST.lead}</p>
      <Button className="w-full sm:w-auto sm:px-10" isPending={isPending} onClick={() => mutate()}>
        {WAITING_LIST.join}
      </Button>
    </div>
  )
}

/** The place on the waiting list, and how to leave it. @param props.place 1 is next. */
export function WaitingPlace({ place }: { place: number }) {
  const { mutate, isPending } = useWaitingListChange(() => call(leaveWaitingList, {}), WAITING_LIST.left)
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-lg font-semibold">{WAITING_LIST.place({ place })}</p>
      <p className="max-w-[56ch]">{WAITING_LIST.lead}</p>
      <Button variant="quiet" isPending={isPending} onClick={() => mutate()}>
        {WAITING_LIST.leave}
      </Button>
    </div>
  )
}

/** Until when a slot is kept or reserved for the participant. */
export function Reservation({ slot }: { slot: NonNullable<OwnClaim['slot']> }) {
  const { stage } = useStage()
  if (slot.until === null) return <p>{WAITING_LIST.keptForAppeal}</p>
  return (
    <p>
      <DateTimeIn message={WAITING_LIST[slot.state]} at={slot.until} />
      {stage === 'paused' && ` ${WAITING_LIST.stands}`}
    </p>
  )
}

/** Joins or leaves. Then refetches the campaign as well, because a slot may have become free. */
const useWaitingListChange = (send: () => Promise<{ message: string }>, done: string) =>
  useChange({
    send,
    affects: [OWN_CLAIM_QUERY, CAMPAIGN_QUERY],
    reportOf: ({ message }) => message || done,
    fallback: WAITING_LIST.failed,
  })
