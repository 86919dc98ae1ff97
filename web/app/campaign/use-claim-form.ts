import { useEffect, useState } from 'react'
import { navigate, useLocation, useParam } from '#web/features/navigation/location.ts'
import type { OwnClaim } from '#contract/claims/claims.ts'
import { EMPTY_PROOF, PROOF_FIELDS, proofBy, proofOf } from '#web/features/claim/proof.ts'
import { CAMPAIGN } from '../campaign-data.ts'
import { PROOF_STEP, previousClaimOf, type PreviousClaim } from './previous-claim.ts'
import type { Step } from './airdrop-steps.tsx'
import * as z from 'zod/mini'
import { Proof } from '#contract/claims/proof.ts'
import { sessionUser } from '#web/features/session/session.ts'
import { removeStored, store, readStoredJson } from '#web/features/session/storage.ts'

type ClaimForm = {
  step: Exclude<Step, 'start'>
  draft: ClaimDraft
  /** An unchanged draft is not stored. */
  isEdited: boolean
  previousClaim: PreviousClaim | undefined
  /** What was saved elsewhere in fields that have been changed here as well. */
  conflicts: Partial<Proof>
  /** The account for which the draft is stored, even after its session has ended. */
  accountId: string
}

/**
 * The state of the claim form. It starts with the claim in `ownClaim`; later changes of that claim replace no
 * field that has been changed here.
 * @param ownClaim undefined until it is fetched, or if that failed.
 * @param isReady whether someone is logged in and fetching `ownClaim` has ended, even with an error.
 */
export function useClaimForm(ownClaim: OwnClaim | undefined, isReady: boolean) {
  const { pathname } = useLocation()
  const [form, setForm] = useState<ClaimForm>()
  const startsAtProof = useParam(PROOF_STEP.name) === PROOF_STEP.value
  // Set during rendering, so that the start does not appear before the proof step.
  if (!form && startsAtProof && isReady && previousClaimOf(ownClaim)) setForm(initialForm(ownClaim, 'proof'))
  const { draft, isEdited = false, accountId = '', previousClaim } = form ?? {}
  const claimId = previousClaim?._id
  useEffect(() => {
    if (draft && isEdited) storeDraft(accountId, draft, claimId)
  }, [draft, isEdited, accountId, claimId])

  return {
    form,
    start: () => setForm(initialForm(ownClaim, 'tasks')),
    goTo: (step: ClaimForm['step']) => setForm((current) => current && { ...current, step }),
    update: (changes: Partial<ClaimDraft>) =>
      // `form` may be outdated: a wallet may answer after the step or the form has been left.
      setForm(
        (current) => current && { ...current, draft: { ...current.draft, ...changes }, isEdited: true },
      ),
    /** Continues an edit that began before the claim was edited elsewhere. @param claim as it is now. */
    rebase: (claim: PreviousClaim) =>
      setForm(
        (current) =>
          current && {
            ...current,
            ...rebaseDraft(current.draft, claim),
            previousClaim: claim,
            isEdited: true,
          },
      ),
    leave() {
      setForm(undefined)
      if (startsAtProof) navigate(pathname, { replace: true })
    },
  }
}

function initialForm(ownClaim: OwnClaim | undefined, step: ClaimForm['step']): ClaimForm {
  const previousClaim = previousClaimOf(ownClaim)
  return {
    step,
    previousClaim,
    accountId: currentAccountId(),
    isEdited: false,
    ...initialDraft(previousClaim),
  }
}

type RebasedDraft = Pick<ClaimForm, 'draft' | 'conflicts'>

function initialDraft(previousClaim: PreviousClaim | undefined): RebasedDraft {
  const draft = readDraft(previousClaim?._id)
  if (!previousClaim) return { draft: draft ?? EMPTY_DRAFT, conflicts: {} }
  return rebaseDraft(draft ?? draftOf(previousClaim), previousClaim)
}

/** Fields that the draft has not changed take the claim's current values. */
function rebaseDraft(draft: ClaimDraft, claim: PreviousClaim): RebasedDraft {
  const current = proofOf(claim)
  // A field that was added after the draft was stored counts as empty and unchanged.
  const base = draft.base ? { ...EMPTY_PROOF, ...draft.base } : current
  const rebased = proofBy((name) => (draft[name] === base[name] ? current[name] : draft[name]))
  const conflicting = PROOF_FIELDS.filter(
    (name) => current[name] !== base[name] && current[name] !== rebased[name],
  )
  return {
    draft: { ...draft, ...rebased, base: current },
    conflicts: Object.fromEntries(conflicting.map((name) => [name, current[name]])),
  }
}

/** A previous claim means that all tasks have been opened. */
function draftOf(previousClaim: PreviousClaim): ClaimDraft {
  const proof = proofOf(previousClaim)
  return { done: CAMPAIGN.airdrop.tasks.map(({ id }) => id), base: proof, ...proof }
}

const StoredDraft = z.object({
  /** The id of the claim that is edited or corrected; absent for a first claim. */
  of: z.optional(z.string()),
  /** That claim's proof when the edit or correction began. Shows which fields have been changed here. */
  base: z.optional(z.partial(Proof)),
  /** The ids of the tasks whose links were opened, which makes them done. */
  done: z.array(z.string()),
  ...Proof.shape,
})
export type ClaimDraft = Omit<z.output<typeof StoredDraft>, 'of'>

/** If a field was added after a draft was stored, the draft keeps its input and the field is empty. */
const Draft = z.pipe(
  z.transform((stored) => ({ ...EMPTY_PROOF, ...(stored as object) })),
  StoredDraft,
)

/** By account, so that people who share a browser neither see nor overwrite each other's drafts. */
type Drafts = Record<string, z.output<typeof Draft>>

const EMPTY_DRAFT: ClaimDraft = { done: [], ...EMPTY_PROOF }

/** The current account's draft. @param claimId the claim it must belong to; undefined for a first claim. */
function readDraft(claimId: string | undefined): ClaimDraft | undefined {
  const draft = readDrafts()[currentAccountId()]
  return draft?.of === claimId ? draft : undefined
}

function storeDraft(accountId: string, draft: ClaimDraft, claimId: string | undefined): void {
  writeDrafts({ ...readDrafts(), [accountId]: { ...draft, of: claimId } })
}

export function removeDraft(): void {
  const { [currentAccountId()]: _removed, ...others } = readDrafts()
  writeDrafts(others)
}

const currentAccountId = () => sessionUser()?._id ?? ''

function readDrafts(): Drafts {
  const stored = Object.entries(readStoredJson('claimDraft') ?? {})
  // Parsed one by one, so that a malformed draft does not remove those of other accounts.
  const drafts = stored.map(([accountId, draft]) => [accountId, z.safeParse(Draft, draft).data] as const)
  return Object.fromEntries(drafts.filter(([, draft]) => draft)) as Drafts
}

function writeDrafts(drafts: Drafts): void {
  if (Object.keys(drafts).length === 0) removeStored('claimDraft')
  else store('claimDraft', JSON.stringify(drafts))
}
