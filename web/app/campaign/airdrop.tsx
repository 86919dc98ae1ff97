import { useEffect } from 'react'
import { toast } from 'react-hot-toast/headless'
import { isOver } from '#contract/phase.ts'
import { PROFILE } from '#messages/profile.js'
import { useOwnClaim } from '#web/features/claim/use-own-claim.ts'
import { useProfile } from '#web/features/profile/use-profile.ts'
import { isLoggedIn } from '#web/features/session/session.ts'
import { ROUTES } from '#web/routes.ts'
import { CAMPAIGN } from '../campaign-data.ts'
import { MainRegion } from '../main-region.tsx'
import { AirdropClosed } from './airdrop-closed.tsx'
import { AirdropStart } from './airdrop-start.tsx'
import { AirdropSteps } from './airdrop-steps.tsx'
import { AirdropTasks } from './airdrop-tasks.tsx'
import { ProofForm } from './proof-form.tsx'
import { useClaimForm } from './use-claim-form.ts'
import { useStage } from './use-campaign.ts'

/** The airdrop flow: a wizard with the steps start, tasks and proof. After the campaign, its results. */
export default function Airdrop() {
  const { data, error, isPending } = useProfile()
  const ownClaim = useOwnClaim()
  // If the profile cannot be fetched, the start is shown as for visitors.
  const user = error ? undefined : data
  const isLoading = isLoggedIn() && (isPending || (user !== undefined && ownClaim.isPending))
  const isReady = user !== undefined && !isLoading
  const { form, start, goTo, update, rebase, leave } = useClaimForm(ownClaim.data, isReady)

  useEffect(() => {
    // The id is the message, so that the toast is not shown twice at once.
    if (error) toast.error(PROFILE.fetchFailed, { id: PROFILE.fetchFailed })
  }, [error])

  const { stage } = useStage()
  // After the end, a slot that someone still has can be claimed, and a claim edited until its review.
  const isClosed = isOver(stage) && !form?.previousClaim?.isEditable && !ownClaim.data?.slot
  const hasFormEnded = isClosed && form !== undefined
  useEffect(() => {
    // The results are shorter than the form, so they may be above the window.
    if (hasFormEnded) window.scrollTo(0, 0)
  }, [hasFormEnded])
  return (
    <MainRegion route={ROUTES.airdrop} className="page pt-10 sm:pt-14">
      <h1 className="text-3xl">{CAMPAIGN.name}</h1>
      {isClosed ? (
        <AirdropClosed user={user} ownClaim={ownClaim.data} />
      ) : (
        <AirdropSteps step={form?.step ?? (user?.isTaskCompleted ? 'claimed' : 'start')}>
          {!form && (
            <AirdropStart user={user} ownClaim={ownClaim.data} isLoading={isLoading} onClaim={start} />
          )}
          {form?.step === 'tasks' && (
            <AirdropTasks
              done={form.draft.done}
              onDone={(id) => update({ done: [...new Set([...form.draft.done, id])] })}
              onBack={leave}
              onContinue={() => goTo('proof')}
            />
          )}
          {form?.step === 'proof' && (
            <ProofForm
              draft={form.draft}
              previousClaim={form.previousClaim}
              conflicts={form.conflicts}
              onDraft={update}
              onEditedElsewhere={rebase}
              onBack={() => goTo('tasks')}
            />
          )}
        </AirdropSteps>
      )}
    </MainRegion>
  )
}
