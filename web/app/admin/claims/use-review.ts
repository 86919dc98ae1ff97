import { useState } from 'react'
import type { Cluster } from '#contract/claims/signals.ts'
import { ApiError, hasCode } from '#web/features/api/api-error.ts'
import { isUndecided, mayDecide, type ReviewRowView, rowOfClaim } from './review-row.ts'
import { useCursor } from './use-cursor.ts'
import {
  useApprove,
  useBulkDecision,
  useReject,
  useRejectCluster,
  useUndo,
  type Rejection,
} from './use-decisions.ts'
import { useDisplayedProofs, useShownChange } from './use-displayed-proofs.ts'
import { useOpenClaim } from './use-queue.ts'
import { useSelection } from './use-selection.ts'

type RejectTarget =
  | { kind: 'claim'; row: ReviewRowView }
  | { kind: 'selected' }
  | { kind: 'cluster'; cluster: Cluster }

export type Review = ReturnType<typeof useReview>

/** State of a list of claims and all actions on its rows, by mouse or keyboard. */
export function useReview(rows: readonly ReviewRowView[]) {
  const cursor = useCursor(rows)
  const openClaim = useOpenClaim(cursor.openId)
  // The list may no longer contain the open claim: it was decided, or another page is shown.
  const openRow = cursor.openRow ?? (openClaim.data && rowOfClaim(openClaim.data.data))
  const knownRows = openRow && !rows.includes(openRow) ? [...rows, openRow] : rows
  const proofs = useDisplayedProofs(knownRows)
  const change = useShownChange(knownRows, proofs)
  const selection = useSelection(rows)
  const [rejecting, setRejecting] = useState<RejectTarget | null>(null)
  const approve = useApprove()
  const reject = useReject()
  const undo = useUndo()
  const bulk = useBulkDecision()
  const rejectCluster = useRejectCluster()

  /** Decides only on an unchanged proof; otherwise shows what changed. */
  const unlessChanged = (act: (row: ReviewRowView) => void) => (row: ReviewRowView) =>
    proofs.changedFrom(row) ? change.show(row) : act(proofs.asDisplayed(row))
  const showIfChanged = (row: ReviewRowView) => ({
    onError: (error: unknown) => {
      if (hasCode(error, 'claim_changed')) change.show(row)
    },
  })

  const verify = unlessChanged((row) => {
    const { claimId, revision } = row
    if (claimId) approve.mutate({ claimId, revision }, showIfChanged(row))
  })
  const undoDecision = ({ claimId }: ReviewRowView) => {
    if (claimId) undo.mutate(claimId)
  }
  const openReject = unlessChanged((row) => {
    cursor.activate(row)
    if (row.claimId) setRejecting({ kind: 'claim', row })
  })
  function confirmReject(rejection: Rejection) {
    // By the time of the reply, the dialog may have been closed and opened for another claim.
    const onSettled = (_reply: unknown, error: unknown) => {
      if (!mayPassLater(error)) setRejecting((current) => (current === rejecting ? null : current))
    }
    if (rejecting?.kind === 'cluster')
      rejectCluster.mutate({ cluster: rejecting.cluster, rejection }, { onSettled })
    else if (rejecting?.kind === 'selected')
      bulk.mutate({ ...selection, rejection }, { onSettled, onSuccess: selection.clear })
    else if (rejecting?.row.claimId) {
      const { claimId, revision } = rejecting.row
      reject.mutate({ claimId, revision, rejection }, { onSettled, ...showIfChanged(rejecting.row) })
    }
  }
  const select = (row: ReviewRowView) => selection.toggle(proofs.asDisplayed(row))
  const onCurrent = (act: (row: ReviewRowView) => void, applies: (row: ReviewRowView) => boolean) => () => {
    if (cursor.current && applies(cursor.current)) act(cursor.current)
  }

  return {
    cursor,
    /** The claim of the open card; its data is undefined until it has been fetched. */
    openClaim,
    /** The row of the open claim, even if the list does not contain it. */
    openRow,
    selection,
    change: {
      ...change,
      /** Ids of the claims whose proof has changed since it was displayed. */
      claimIds: new Set(rows.filter((row) => proofs.changedFrom(row)).map(({ claimId }) => claimId)),
      accept(row: ReviewRowView) {
        proofs.accept(row)
        change.close()
        cursor.show(row)
      },
    },
    rejection: {
      target: rejecting,
      open: openReject,
      openSelected: () => setRejecting({ kind: 'selected' }),
      openCluster: (cluster: Cluster) => setRejecting({ kind: 'cluster', cluster }),
      confirm: confirmReject,
      close: () => setRejecting(null),
    },
    verify,
    verifySelected: () => bulk.mutate(selection, { onSuccess: selection.clear }),
    verifyingId: approve.isPending ? approve.variables.claimId : undefined,
    undo: undoDecision,
    select,
    isPending: [approve, reject, undo, bulk, rejectCluster].some(({ isPending }) => isPending),
    /** What the shortcuts do, on the current row. */
    shortcuts: {
      next: () => cursor.move(1),
      previous: () => cursor.move(-1),
      open: onCurrent(cursor.toggle, () => true),
      verify: onCurrent(verify, (row) => isUndecided(row) && mayDecide(row)),
      // Also a rejected claim: it may have an open appeal, which the row does not show.
      reject: onCurrent(openReject, (row) => row.status !== 'approved' && mayDecide(row)),
      undo: onCurrent(undoDecision, (row) => !isUndecided(row)),
      select: onCurrent(select, () => true),
    },
  }
}

/** Whether the error is not about the claim: the dialog then keeps what was typed, to be sent again. */
const mayPassLater = (error: unknown) =>
  error instanceof ApiError && error.status !== 403 && error.status !== 404 && error.status !== 409
