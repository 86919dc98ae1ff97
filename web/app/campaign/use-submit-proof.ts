import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'react-hot-toast/headless'
import { navigate } from '#web/features/navigation/location.ts'
import { editClaim, submitProof } from '#contract/claims/claims.ts'
import type { Proof } from '#contract/claims/proof.ts'
import { PROOF } from '#messages/airdrop.js'
import { hasCode, hasCallSucceeded, messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { useProofOfWork, type ProofOfWork } from '#web/features/challenge/proof-of-work.ts'
import { proofOf } from '#web/features/claim/proof.ts'
import { OWN_CLAIM_QUERY, useOwnClaim } from '#web/features/claim/use-own-claim.ts'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { PROFILE_QUERY } from '#web/features/profile/use-profile.ts'
import { ROUTES } from '#web/routes.ts'
import { removeDraft } from './use-claim-form.ts'
import type { PreviousClaim } from './previous-claim.ts'
import { CAMPAIGN_QUERY } from './use-campaign.ts'

/**
 * Submits the proof as a new claim, which the API calls a task, or edits one.
 * @param onEditedElsewhere called with the claim as it is now, before the error `edited_elsewhere` is shown.
 * @returns also `isFull`: whether the server said that no slot is left.
 */
export function useSubmitProof(
  previousClaim: PreviousClaim | undefined,
  onEditedElsewhere: (claim: PreviousClaim) => void,
) {
  const [isFull, setFull] = useState(false)
  const { work, progress } = useProofOfWork()
  const queries = useQueryClient()
  const { refetch: refetchOwnClaim } = useOwnClaim()
  /** Drops cached data so that the profile shows the claim as it is now, and opens the profile. */
  function openProfile() {
    queries.removeQueries({ queryKey: PROFILE_QUERY })
    queries.removeQueries({ queryKey: OWN_CLAIM_QUERY })
    navigate(ROUTES.profile.path)
  }
  const form = useFormCall({
    send: async (proof: Proof) => {
      try {
        return await submit(proof, previousClaim, work)
      } catch (error) {
        if (hasCode(error, 'edited_elsewhere')) {
          const { data } = await refetchOwnClaim()
          if (data?.claim?.isEditable) onEditedElsewhere(data.claim)
        }
        throw error
      }
    },
    onSuccess: ({ message }) => {
      toast.success(message || PROOF.done)
      removeDraft()
      openProfile()
    },
    fallback: PROOF.failed,
    onError: (error) => {
      // Nothing more can be sent. `already_claimed` may mean this claim, if the reply to it was lost.
      // The draft of an edit that came too late stays: after a rejection, the correction begins with it.
      const isTooLate = hasCode(error, 'review_started')
      if (isTooLate || hasCode(error, 'already_claimed')) {
        toast.error(messageOf(error, PROOF.failed))
        if (!isTooLate) removeDraft()
        openProfile()
        return true // The error has been shown.
      }
      const areSlotsGone = hasCode(error, 'slots_gone')
      if (areSlotsGone || hasCode(error, 'campaign_closed')) {
        setFull(areSlotsGone)
        void queries.invalidateQueries({ queryKey: OWN_CLAIM_QUERY })
        void queries.invalidateQueries({ queryKey: CAMPAIGN_QUERY })
      }
      return false
    },
  })
  return { ...form, isFull, progress }
}

/** A claim that was accepted must not be reported as failed if the reply is unreadable. */
async function submit(
  proof: Proof,
  previousClaim: PreviousClaim | undefined,
  work: ProofOfWork,
): Promise<{ message: string }> {
  const body = proofOf(proof)
  try {
    return await (previousClaim?.isEditable
      ? call(editClaim, {
          params: { taskId: previousClaim._id },
          body: { ...body, revision: previousClaim.revision },
        })
      : call(submitProof, { body }, work))
  } catch (error) {
    if (hasCallSucceeded(error)) return { message: '' }
    throw error
  }
}
