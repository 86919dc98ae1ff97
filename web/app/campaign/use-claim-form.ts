import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { OwnClaim } from '#contract/claims.ts'
import { CAMPAIGN } from '../campaign-data.ts'
import { EMPTY_DRAFT, keepDraft, keptDraft } from './claim-draft.ts'
import type { ClaimDraft } from './claim-draft.ts'
import { AT_PROOF, revisionOf } from './revision.ts'
import type { Revision } from './revision.ts'
import type { Step } from './ticket.tsx'

type ClaimForm = { step: Exclude<Step, 'start'>; draft: ClaimDraft; revision: Revision | undefined }

/**
 * State of the claim form. Once started, it ignores changes in the polled claim, so that refetches do not
 * replace the input.
 * @param ready Whether the claim has been fetched, or has failed to (`mine` is then undefined).
 */
export function useClaimForm(mine: OwnClaim | undefined, ready: boolean) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [form, setForm] = useState<ClaimForm>()
  const isAsked = new URLSearchParams(search).get(AT_PROOF.name) === AT_PROOF.value
  if (!form && isAsked && ready && revisionOf(mine)) setForm(begun(mine, 'proof'))

  return {
    form,
    begin: () => setForm(begun(mine, 'tasks')),
    goTo: (step: ClaimForm['step']) => setForm(form && { ...form, step }),
    fill(changes: Partial<ClaimDraft>) {
      if (!form) return
      const draft = { ...form.draft, ...changes }
      keepDraft(draft, form.revision?._id)
      setForm({ ...form, draft })
    },
    leave() {
      setForm(undefined)
      if (isAsked) void navigate(pathname, { replace: true })
    },
  }
}

function begun(mine: OwnClaim | undefined, step: ClaimForm['step']): ClaimForm {
  const revision = revisionOf(mine)
  return { step, revision, draft: keptDraft(revision?._id) ?? (revision ? draftOf(revision) : EMPTY_DRAFT) }
}

/** A participant with a previous claim has opened all tasks. */
function draftOf({ wallet, telegram, twitter, retweetLink }: Revision): ClaimDraft {
  return { done: CAMPAIGN.airdrop.tasks.map(({ id }) => id), wallet, telegram, twitter, retweetLink }
}
