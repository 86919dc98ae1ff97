import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'react-hot-toast/headless'
import { campaign } from '#contract/campaign.ts'
import { type RejectionReason, isFinal } from '#contract/claims/claim-history.ts'
import {
  decideClaims,
  rejectClaim,
  rejectCluster,
  undoDecision,
  type Outcome,
} from '#contract/dashboard/review.ts'
import type { Cluster } from '#contract/claims/signals.ts'
import { approveClaim } from '#contract/claims/claims.ts'
import { DASHBOARD } from '#messages/dashboard-frame.js'
import { DECIDE } from '#messages/dashboard-review.js'
import { hasCode, messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { refetchReview } from './use-queue.ts'

export type Rejection = { reason: RejectionReason; text: string }
/** A claim, and the revision of its proof that the reviewer has seen. */
export type ClaimRevision = { claimId: string; revision: string | undefined }
type BulkDecision = {
  /** The displayed revision of each claim, by claim id. */
  selected: ReadonlyMap<string, string | undefined>
  /** Held claims are refused, unless they belong to this cluster. */
  clusterId: string | undefined
  /** If absent, the claims are approved. */
  rejection?: Rejection
}

/** If an approval fails, the specification wants a browser alert. Other failed decisions are toasts. */
export function useApprove() {
  return useDecision({
    send: async ({ claimId: taskId, revision }: ClaimRevision) => {
      // An approval names the points that it grants, which may have changed since the page was loaded.
      const { pfPoints, plsPoints } = (await call(campaign, {})).data
      return call(approveClaim, { params: { taskId }, body: { pfPoints, plsPoints, revision } })
    },
    onFailure: () => alert(DASHBOARD.verifyFailed),
  })
}

export function useReject() {
  return useDecision({
    send: ({ claimId, revision, rejection }: ClaimRevision & { rejection: Rejection }) =>
      call(rejectClaim, { params: { claimId }, body: { ...rejection, revision } }),
    onSuccess: ({ message }) => toast.success(message || DECIDE.rejected),
  })
}

export function useUndo() {
  return useDecision({
    send: (claimId: string) => call(undoDecision, { params: { claimId } }),
    onSuccess: ({ message }) => toast.success(message || DECIDE.undone),
  })
}

/** Decides all selected claims. Each has its own outcome, and refusals are shown as toasts. */
export function useBulkDecision() {
  return useDecision({
    send: ({ selected, rejection, clusterId }: BulkDecision) => {
      const withRevision = [...selected].flatMap(([id, revision]) =>
        revision === undefined ? [] : [[id, revision] as const],
      )
      const target = {
        claimIds: [...selected.keys()],
        revisions: Object.fromEntries(withRevision),
        clusterId,
      }
      const decision = rejection ? 'reject' : 'approve'
      return call(decideClaims, { body: { decision, ...target, ...rejection } })
    },
    onSuccess: ({ data }) => toastOutcomes(data),
  })
}

/** Rejects all undecided claims of a cluster, at the revisions that the card displayed. */
export function useRejectCluster() {
  return useDecision({
    send: ({ cluster, rejection: { reason, text } }: { cluster: Cluster; rejection: Rejection }) => {
      const revisions = Object.fromEntries(
        cluster.members.map(({ claimId, revision }) => [claimId, revision]),
      )
      // The dialog offers only final reasons.
      if (!isFinal(reason)) throw new Error(`${reason} cannot reject a cluster.`)
      return call(rejectCluster, { params: { clusterId: cluster.id }, body: { reason, text, revisions } })
    },
    onSuccess: ({ data: { outcomes, freed: freedSlots } }) => {
      if (outcomes.length > 0) toastOutcomes(outcomes)
      toast(DECIDE.clusterOutcome({ freed: freedSlots }))
    },
  })
}

function toastOutcomes(outcomes: readonly Outcome[]): void {
  const refused = outcomes.filter(({ outcome }) => outcome !== 'done')
  toast(DECIDE.outcome({ done: outcomes.length - refused.length, all: outcomes.length }))
  for (const text of new Set(refused.map(({ message }) => message ?? DECIDE.failed))) toast.error(text)
}

type DecisionOptions<Args, Reply> = {
  send: (args: Args) => Promise<Reply>
  onSuccess?: (reply: Reply) => void
  onFailure?: () => void
}

/** After a success, stays pending until the lists are refetched. They are refetched after a failure, too. */
function useDecision<Args, Reply>({ send, onSuccess, onFailure }: DecisionOptions<Args, Reply>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (reply) => {
      onSuccess?.(reply)
      return refetchReview(queries)
    },
    onError: (error) => {
      // A dialog shows a changed proof instead.
      if (!hasCode(error, 'claim_changed')) {
        if (onFailure) onFailure()
        else toast.error(messageOf(error, DECIDE.failed))
      }
      // The rows then show why it was refused: a changed proof, or another reviewer's decision.
      void refetchReview(queries)
    },
  })
}
