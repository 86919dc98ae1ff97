import { useEffect, useRef, useState } from 'react'
import type { Cluster } from '#contract/claims/signals.ts'
import { reviewKeys } from './keys.tsx'
import { type ReviewRowView, isUndecided } from './review-row.ts'
import {
  isChanged,
  useApprove,
  useBulk,
  useReject,
  useRejectCluster,
  useUndo,
  type Reason,
} from './use-decisions.ts'
import { useDisplayedProofs } from './use-displayed-proofs.ts'
import { useSelection } from './use-selection.ts'

/** State of a list of claims and all actions on its rows, by mouse or keyboard. */
export function useReview(rows: readonly ReviewRowView[]) {
  const [active, setActive] = useState<string>()
  const [open, setOpen] = useState<string | null>(null)
  const [rejecting, setRejecting] = useState<'one' | 'selected' | Cluster | null>(null)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const selection = useSelection(rows)
  const proofs = useDisplayedProofs(rows)
  const changes = useChanges(rows, proofs)
  const [approve, reject, undo, bulk] = [useApprove(), useReject(), useUndo(), useBulk()]
  const rejectAll = useRejectCluster()
  const current = rows.find(({ key }) => key === active) ?? rows[0]

  /** Decides only on an unchanged proof; otherwise shows what changed. */
  const unlessChanged = (act: (row: ReviewRowView) => void) => (row: ReviewRowView) =>
    proofs.changedFrom(row) ? changes.show(row) : act(proofs.asDisplayed(row))
  const showIfChanged = (row: ReviewRowView) => ({
    onError: (error: unknown) => {
      if (isChanged(error)) changes.show(row)
    },
  })

  const verify = unlessChanged((row) => {
    const { claimId, revision } = row
    if (claimId) approve.mutate({ claimId, revision }, showIfChanged(row))
  })
  const undoDecision = ({ claimId }: ReviewRowView) => void (claimId && undo.mutate(claimId))
  const toggleCard = ({ claimId }: ReviewRowView) => setOpen(open === claimId ? null : claimId)

  function closeCard() {
    setOpen(null)
    focusRow(current)
  }
  const openReject = unlessChanged(({ key, claimId }) => {
    setActive(key)
    if (claimId) setRejecting('one')
  })
  function acceptChange(row: ReviewRowView) {
    proofs.accept(row)
    changes.close()
    setActive(row.key)
    setOpen(row.claimId)
  }
  function confirmReject(reason: Reason) {
    const close = { onSettled: () => setRejecting(null) }
    const which = { claims: selection.selected, clusterId: selection.clusterId }
    if (typeof rejecting === 'object' && rejecting !== null)
      rejectAll.mutate({ cluster: rejecting, reason }, close)
    else if (rejecting === 'selected')
      bulk.mutate({ ...which, reason }, { ...close, onSuccess: selection.clear })
    else if (current?.claimId) {
      const { revision } = proofs.asDisplayed(current)
      reject.mutate({ claimId: current.claimId, revision, reason }, { ...close, ...showIfChanged(current) })
    }
  }
  function move(by: 1 | -1) {
    const next = rows[rows.findIndex(({ key }) => key === current?.key) + by]
    if (!next) return
    setActive(next.key)
    if (open && next.claimId) setOpen(next.claimId)
    focusRow(next)
  }
  const onCurrent = (act: (row: ReviewRowView) => void) => () => current && act(current)

  return {
    active,
    open,
    shown: rows.find(({ claimId }) => claimId === open),
    current,
    rejecting,
    isHelpOpen,
    selection: { ...selection, toggle: (row: ReviewRowView) => selection.toggle(proofs.asDisplayed(row)) },
    /** Claims whose proof has changed since it was displayed. */
    changed: new Set(rows.filter((row) => proofs.changedFrom(row)).map(({ claimId }) => claimId)),
    change: changes.change,
    showChange: changes.show,
    closeChange: changes.close,
    acceptChange,
    verifying: new Set(approve.isPending ? [approve.variables.claimId] : []),
    pending: [approve, reject, undo, bulk, rejectAll].some(({ isPending }) => isPending),
    verify,
    undoDecision,
    toggleCard,
    openReject,
    openRejectCluster: (cluster: Cluster) => setRejecting(cluster),
    confirmReject,
    activate: ({ key }: ReviewRowView) => setActive(key),
    closeCard,
    rejectSelected: () => setRejecting('selected'),
    verifySelected: () =>
      bulk.mutate(
        { claims: selection.selected, clusterId: selection.clusterId },
        { onSuccess: selection.clear },
      ),
    closeReject: () => setRejecting(null),
    setHelpOpen,
    onKeyDown: reviewKeys({
      move,
      open: onCurrent(toggleCard),
      verify: onCurrent((row) => isUndecided(row) && verify(row)),
      reject: onCurrent(openReject),
      undo: onCurrent((row) => !isUndecided(row) && undoDecision(row)),
      select: onCurrent((row) => selection.toggle(proofs.asDisplayed(row))),
      help: () => setHelpOpen(true),
    }),
  }
}

function focusRow(row: Pick<ReviewRowView, 'key'> | undefined) {
  if (row) document.querySelector<HTMLElement>(`[data-row="${row.key}"]`)?.focus()
}

/** The claim whose change is shown, once the list has it; its row gets the focus when the dialog closes. */
function useChanges(rows: readonly ReviewRowView[], proofs: ReturnType<typeof useDisplayedProofs>) {
  const [shown, setShown] = useState<ReviewRowView | null>(null)
  const last = useRef<ReviewRowView>(null)
  const now = rows.find(({ key }) => key === shown?.key)
  const before = now && proofs.changedFrom(now)
  const isShown = before !== undefined
  useEffect(() => {
    // The element focused before may have been replaced.
    if (!isShown && last.current) focusRow(last.current)
    last.current = isShown ? shown : null
  }, [isShown, shown])
  return {
    change: now && before ? { before, now } : null,
    show: (row: ReviewRowView) => setShown(row),
    close: () => setShown(null),
  }
}
