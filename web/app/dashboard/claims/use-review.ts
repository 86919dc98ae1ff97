import { useState } from 'react'
import type { Cluster } from '#contract/claims/signals.ts'
import { ApiError, fieldsOf } from '#web/features/api/api-error.ts'
import { dropText } from '../ui/kept-text.ts'
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
import { useProofs } from './use-displayed-proofs.ts'
import { useOpenClaim } from './use-queue.ts'

export type Review = ReturnType<typeof useReview>

/** The state of the review screen and what can be done with its rows: select, open and decide claims. */
export function useReview(rows: readonly ReviewRowView[]) {
  const cursor = useCursor(rows)
  const openClaimQuery = useOpenClaim(cursor.openId)
  // The open claim may not be in the list: it was decided, or another page is shown.
  const openRow = cursor.listedOpenRow ?? (openClaimQuery.data && rowOfClaim(openClaimQuery.data))
  const proofs = useProofs(openRow && !rows.includes(openRow) ? [...rows, openRow] : rows)
  const selection = useSelection(rows, cursor)

  const approving = useApprove()
  const undoing = useUndo()
  const bulk = useBulkDecision()
  const rejection = useRejection(selection, bulk, proofs)
  const verify = proofs.unlessChanged((row) => {
    const { claimId, revision } = row
    cursor.expectLeaving([row])
    // Not `mutate`, which drops its callbacks if the next claim is verified before the reply.
    if (claimId) approving.mutateAsync({ claimId, revision }).catch(proofs.showChangeOnRefusal(row))
  })
  const reject = proofs.unlessChanged((row) => {
    cursor.activate(row)
    rejection.open(row)
  })
  function confirmRejection(given: Rejection) {
    if (rejection.target?.kind === 'claim') cursor.expectLeaving([rejection.target.row])
    rejection.confirm(given)
  }
  const undo = (row: ReviewRowView) => {
    if (!row.claimId) return
    cursor.expectLeaving([row])
    undoing.mutate(row.claimId)
  }
  const select = (row: ReviewRowView) => selection.toggle(proofs.asDisplayed(row))

  return {
    cursor,
    /** The query of the open card's claim, whose data are undefined until they have been fetched. */
    openClaimQuery,
    /** The row of the open claim, even if it is not in the list. */
    openRow,
    selection,
    proofChange: {
      ...proofs.dialog,
      claimIds: new Set(rows.filter((row) => proofs.changedFrom(row)).map(({ claimId }) => claimId)),
      accept(row: ReviewRowView) {
        proofs.accept(row)
        proofs.dialog.close()
        cursor.show(row)
      },
    },
    rejection: { ...rejection, open: reject, confirm: confirmRejection },
    verify,
    verifySelected: () => bulk.mutate(selection, { onSuccess: selection.clear }),
    verifyingId: approving.isPending ? approving.variables.claimId : undefined,
    undo,
    select,
    isPending: [approving, undoing, bulk, rejection].some(({ isPending }) => isPending),
    shortcuts: shortcutsOn(cursor, { verify, reject, undo, select }),
  }
}

const EMPTY_SELECTION: ReadonlyMap<string, string | undefined> = new Map()

/** The selected claims, with their revisions when they were selected. Drops claims that have been decided. */
function useSelection(rows: readonly ReviewRowView[], cursor: ReturnType<typeof useCursor>) {
  const [selection, setSelection] = useState(EMPTY_SELECTION)
  const [cluster, setCluster] = useState<Cluster | null>(null)
  const decided = new Set(rows.filter((row) => !isUndecided(row)).map(({ claimId }) => claimId))
  const selected = new Map([...selection].filter(([claimId]) => !decided.has(claimId)))
  const members = new Set(cluster?.members.map(({ claimId }) => claimId))

  function toggle(row: ReviewRowView) {
    const { claimId } = row
    if (!claimId || !isUndecided(row) || row.isOwn) return
    const others = [...selected].filter(([id]) => id !== claimId)
    setSelection(new Map(selected.has(claimId) ? others : [...others, [claimId, row.revision]]))
  }
  /** Selects the undecided claims of a cluster, even those that are not in the list. */
  function selectCluster(next: Cluster) {
    const undecided = next.members.filter((member) => isUndecided(member))
    setCluster(next)
    setSelection(new Map(undecided.map(({ claimId, revision }) => [claimId, revision])))
  }
  return {
    selected,
    /** Set if one cluster has all selected claims. A bulk decision may then include held claims. */
    clusterId: [...selected.keys()].every((id) => members.has(id)) ? cluster?.id : undefined,
    toggle,
    selectCluster,
    clear() {
      // Clearing removes the buttons for the selection, one of which may have the focus.
      const isSelected = ({ claimId }: ReviewRowView) => claimId !== null && selected.has(claimId)
      cursor.expectLeaving(rows.filter(isSelected), { isSettled: true })
      setCluster(null)
      setSelection(EMPTY_SELECTION)
    },
  }
}

type RejectTarget =
  | { kind: 'claim'; row: ReviewRowView }
  | { kind: 'selected' }
  | { kind: 'cluster'; cluster: Cluster }

function useRejection(
  selection: ReturnType<typeof useSelection>,
  bulk: ReturnType<typeof useBulkDecision>,
  { showChangeOnRefusal }: ReturnType<typeof useProofs>,
) {
  /** Null while the dialog is closed. `errors`: why fields were refused. */
  const [dialog, setDialog] = useState<{
    target: RejectTarget
    errors: Readonly<Record<string, string>>
  } | null>(null)
  const open = (target: RejectTarget) => setDialog({ target, errors: {} })
  const rejecting = useReject()
  const rejectingCluster = useRejectCluster()

  function confirm(rejection: Rejection) {
    if (!dialog) return
    const { target } = dialog
    // By the time of the reply, the dialog may have been closed and opened for another claim.
    const onSettled = (_reply: unknown, error: unknown) => {
      // A refusal leaves the text: if the proof has changed, the same text may be right for the new one.
      if (!error) dropText(aboutOf(target))
      setDialog((current) => {
        if (current?.target !== target) return current
        return mayPassLater(error) ? { target, errors: fieldsOf(error) } : null
      })
    }
    if (target.kind === 'cluster')
      rejectingCluster.mutate({ cluster: target.cluster, rejection }, { onSettled })
    else if (target.kind === 'selected')
      bulk.mutate({ ...selection, rejection }, { onSettled, onSuccess: selection.clear })
    else if (target.row.claimId) {
      const { claimId, revision } = target.row
      const onError = showChangeOnRefusal(target.row)
      rejecting.mutate({ claimId, revision, rejection }, { onSettled, onError })
    }
  }

  return {
    target: dialog?.target,
    /** Tells `keptText` which text is in the dialog. */
    about: dialog ? aboutOf(dialog.target) : '',
    errors: dialog?.errors ?? {},
    open(row: ReviewRowView) {
      if (row.claimId) open({ kind: 'claim', row })
    },
    openSelected: () => open({ kind: 'selected' }),
    openCluster: (cluster: Cluster) => open({ kind: 'cluster', cluster }),
    confirm,
    close() {
      if (dialog) dropText(aboutOf(dialog.target))
      setDialog(null)
    },
    isPending: rejecting.isPending || rejectingCluster.isPending,
  }
}

function aboutOf(target: RejectTarget): string {
  if (target.kind === 'cluster') return `rejection of cluster ${target.cluster.id}`
  return target.kind === 'claim' ? `rejection of ${target.row.claimId}` : 'rejection of selected'
}

/** False after a success, or if the claim is at fault (the reviewer's own, gone or changed), not the text. */
const mayPassLater = (error: unknown) =>
  error instanceof ApiError && error.status !== 403 && error.status !== 404 && error.status !== 409

type RowActions = Record<'verify' | 'reject' | 'undo' | 'select', (row: ReviewRowView) => void>

function shortcutsOn(cursor: ReturnType<typeof useCursor>, { verify, reject, undo, select }: RowActions) {
  const onCurrent = (act: (row: ReviewRowView) => void, applies: (row: ReviewRowView) => boolean) => () => {
    if (cursor.current && applies(cursor.current)) act(cursor.current)
  }
  return {
    next: () => cursor.move(1),
    previous: () => cursor.move(-1),
    open: onCurrent(cursor.toggle, () => true),
    verify: onCurrent(verify, (row) => isUndecided(row) && mayDecide(row)),
    // A rejected claim may be rejected again: it may have an open appeal, which the row does not show.
    reject: onCurrent(reject, (row) => row.status !== 'approved' && mayDecide(row)),
    undo: onCurrent(undo, (row) => !isUndecided(row)),
    select: onCurrent(select, () => true),
  }
}
