import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'react-hot-toast/headless'
import type { RejectionReason } from '#contract/claim-history.ts'
import { isFinal } from '#contract/claim-history.ts'
import { grantedPoints } from '#contract/granted-points.ts'
import { decideClaims, rejectClaim, rejectCluster, undoDecision } from '#contract/review.ts'
import type { Outcome } from '#contract/review.ts'
import type { Cluster } from '#contract/signals.ts'
import { approveClaim } from '#contract/claims.ts'
import { DASHBOARD } from '#web/content/dashboard.ts'
import { DECIDE } from '#web/content/review.ts'
import { ApiError, messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { CAMPAIGN } from '../campaign-data.ts'
import { REVIEW_QUERY, SUBMISSIONS_QUERY } from './use-queue.ts'

const GRANTED = grantedPoints(CAMPAIGN.airdrop)

export type Reason = { reason: RejectionReason; text: string }
/** A claim and the revision of its proof that is decided on. */
export type Seen = { claimId: string; revision: string | undefined }
type Bulk = {
  claims: ReadonlyMap<string, string | undefined>
  clusterId: string | undefined
  reason?: Reason
}

/** Mutations for decisions on claims. Each stays pending until the lists have been refetched. */
export function useApprove() {
  return useDecision({
    send: ({ claimId: taskId, revision }: Seen) =>
      call(approveClaim, { params: { taskId }, body: { pfPoints: GRANTED, plsPoints: GRANTED, revision } }),
    failed: () => alert(DASHBOARD.verifyFailed),
  })
}

export function useReject() {
  return useDecision({
    send: ({ claimId, revision, reason }: Seen & { reason: Reason }) =>
      call(rejectClaim, { params: { claimId }, body: { ...reason, revision } }),
    done: ({ message }) => toast.success(message || DECIDE.rejected),
  })
}

export function useUndo() {
  return useDecision({
    send: (claimId: string) => call(undoDecision, { params: { claimId } }),
    done: ({ message }) => toast.success(message || DECIDE.undone),
  })
}

/** Bulk decision: each claim has its own outcome, and refusals are reported. */
export function useBulk() {
  return useDecision({
    send: ({ claims, reason, clusterId }: Bulk) => {
      const known = [...claims].flatMap(([id, revision]) =>
        revision === undefined ? [] : [[id, revision] as const],
      )
      const which = { claimIds: [...claims.keys()], revisions: Object.fromEntries(known), clusterId }
      return call(decideClaims, { body: { decision: reason ? 'reject' : 'approve', ...which, ...reason } })
    },
    done: ({ data }) => tell(data),
  })
}

/** Rejects all waiting claims of a cluster at the revisions its card displayed. */
export function useRejectCluster() {
  return useDecision({
    send: ({ cluster, reason: { reason, text } }: { cluster: Cluster; reason: Reason }) => {
      const revisions = Object.fromEntries(
        cluster.members.map(({ claimId, revision }) => [claimId, revision]),
      )
      // The dialog offers final reasons only.
      if (!isFinal(reason)) throw new Error(`A cluster is not rejected as ${reason}.`)
      return call(rejectCluster, { params: { clusterId: cluster.id }, body: { reason, text, revisions } })
    },
    done: ({ data: { outcomes, freed } }) => {
      if (outcomes.length > 0) tell(outcomes)
      toast(DECIDE.clusterOutcome(freed))
    },
  })
}

function tell(outcomes: readonly Outcome[]): void {
  const refused = outcomes.filter(({ outcome }) => outcome !== 'done')
  toast(DECIDE.outcome(outcomes.length - refused.length, outcomes.length))
  for (const words of new Set(refused.map(({ message }) => message ?? DECIDE.failed))) toast.error(words)
}

/** Whether a decision was refused because the proof has changed. */
export function isChanged(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'claim_changed'
}

type Decision<Given, Reply> = {
  send: (given: Given) => Promise<Reply>
  done?: (reply: Reply) => void
  failed?: () => void
}

function useDecision<Given, Reply>({ send, done, failed }: Decision<Given, Reply>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (reply) => {
      done?.(reply)
      return reload()
    },
    onError: (error) => {
      // The screen shows what changed.
      if (isChanged(error)) return void reload()
      if (failed) failed()
      else toast.error(messageOf(error, DECIDE.failed))
      // Another reviewer may have been faster.
      void reload()
    },
  })
  function reload() {
    return Promise.all([
      queries.invalidateQueries({ queryKey: SUBMISSIONS_QUERY }),
      queries.invalidateQueries({ queryKey: REVIEW_QUERY }),
    ])
  }
}
