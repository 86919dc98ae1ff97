import { useState } from 'react'
import { navigate, useLocation } from '#web/features/navigation/location.ts'
import type { OwnClaim } from '#contract/claims/claims.ts'
import { proofOf } from '#web/features/claim/proof.ts'
import { CAMPAIGN } from '../campaign-data.ts'
import { EMPTY_DRAFT, storeDraft, readDraft, type ClaimDraft } from './claim-draft.ts'
import { PROOF_STEP, editableClaimOf, type EditableClaim } from './editable-claim.ts'
import type { Step } from './ticket.tsx'

type ClaimForm = { step: Exclude<Step, 'start'>; draft: ClaimDraft; revision: EditableClaim | undefined }

/**
 * State of the claim form. Once started, it ignores changes in the polled claim, so that refetches do not
 * replace the input.
 * @param ready Whether the claim has been fetched, or has failed to (`mine` is then undefined).
 */
export function useClaimForm(mine: OwnClaim | undefined, ready: boolean) {
  const { pathname, search } = useLocation()
  const [form, setForm] = useState<ClaimForm>()
  const opensAtProof = new URLSearchParams(search).get(PROOF_STEP.name) === PROOF_STEP.value
  if (!form && opensAtProof && ready && editableClaimOf(mine)) setForm(initialForm(mine, 'proof'))

  return {
    form,
    start: () => setForm(initialForm(mine, 'tasks')),
    goTo: (step: ClaimForm['step']) => setForm(form && { ...form, step }),
    update(changes: Partial<ClaimDraft>) {
      if (!form) return
      const draft = { ...form.draft, ...changes }
      storeDraft(draft, form.revision?._id)
      setForm({ ...form, draft })
    },
    leave() {
      setForm(undefined)
      if (opensAtProof) navigate(pathname, { replace: true })
    },
  }
}

function initialForm(mine: OwnClaim | undefined, step: ClaimForm['step']): ClaimForm {
  const revision = editableClaimOf(mine)
  return { step, revision, draft: readDraft(revision?._id) ?? (revision ? draftOf(revision) : EMPTY_DRAFT) }
}

/** A participant with a previous claim has opened all tasks. */
function draftOf(revision: EditableClaim): ClaimDraft {
  return { done: CAMPAIGN.airdrop.tasks.map(({ id }) => id), ...proofOf(revision) }
}
