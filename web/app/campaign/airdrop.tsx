import { useEffect, useState } from 'react'
import { toast } from 'react-hot-toast/headless'
import { PROFILE } from '#web/content/account.ts'
import { useProfile } from '#web/features/profile/use-profile.ts'
import { isLoggedIn } from '#web/features/session/session.ts'
import { ROUTES } from '#web/routes.ts'
import { CAMPAIGN } from '../campaign-data.ts'
import { MainRegion } from '../main-region.tsx'
import { AirdropProof } from './airdrop-proof.tsx'
import { AirdropStart } from './airdrop-start.tsx'
import { AirdropTasks } from './airdrop-tasks.tsx'
import { keepDraft, keptDraft } from './claim-draft.ts'
import type { ClaimDraft } from './claim-draft.ts'
import { Ticket } from './ticket.tsx'
import type { Step } from './ticket.tsx'

export default function Airdrop() {
  const [step, setStep] = useState<Step>('start')
  const [draft, setDraft] = useState(keptDraft)
  const { data, error, isPending } = useProfile()
  const user = error ? undefined : data

  useEffect(() => {
    // The text is the id, so that it is never shown twice at once.
    if (error) toast.error(PROFILE.fetchFailed, { id: PROFILE.fetchFailed })
  }, [error])

  function change(changes: Partial<ClaimDraft>) {
    const changed = { ...draft, ...changes }
    setDraft(changed)
    keepDraft(changed)
  }

  return (
    <MainRegion route={ROUTES.airdrop} className="page pt-10 sm:pt-14">
      <h1 className="text-3xl">{CAMPAIGN.name}</h1>
      <Ticket step={step}>
        {step === 'start' && (
          <AirdropStart user={user} loading={isLoggedIn() && isPending} onClaim={() => setStep('tasks')} />
        )}
        {step === 'tasks' && (
          <AirdropTasks
            done={draft.done}
            onDone={(id) => change({ done: [...new Set([...draft.done, id])] })}
            onBack={() => setStep('start')}
            onContinue={() => setStep('proof')}
          />
        )}
        {step === 'proof' && <AirdropProof draft={draft} onDraft={change} onBack={() => setStep('tasks')} />}
      </Ticket>
    </MainRegion>
  )
}
