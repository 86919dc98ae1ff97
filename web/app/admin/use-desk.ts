import { useState } from 'react'
import { deskKeys } from './desk-keys.ts'
import type { DeskRow } from './desk-row.ts'
import { isWaiting } from './desk-row.ts'
import { useApprove, useBulk, useReject, useUndo } from './use-decisions.ts'
import type { Reason } from './use-decisions.ts'
import { useSelection } from './use-selection.ts'

/** What a list of claims remembers, and all that can be decided about its rows, by mouse or by key. */
export function useDesk(rows: readonly DeskRow[]) {
  const [active, setActive] = useState<string>()
  const [open, setOpen] = useState<string | null>(null)
  const [rejecting, setRejecting] = useState<'one' | 'selected' | null>(null)
  const [helping, setHelping] = useState(false)
  const selection = useSelection(rows)
  const [approve, reject, undo, bulk] = [useApprove(), useReject(), useUndo(), useBulk()]
  const current = rows.find(({ key }) => key === active) ?? rows[0]

  const verify = ({ claimId, revision }: DeskRow) => void (claimId && approve.mutate({ claimId, revision }))
  const takeBack = ({ claimId }: DeskRow) => void (claimId && undo.mutate(claimId))
  const toggleCard = ({ claimId }: DeskRow) => setOpen(open === claimId ? null : claimId)

  function closeCard() {
    setOpen(null)
    focusRow(current)
  }
  function askReason({ key, claimId }: DeskRow) {
    setActive(key)
    if (claimId) setRejecting('one')
  }
  function rejectWith(reason: Reason) {
    const close = { onSettled: () => setRejecting(null) }
    const which = { claims: selection.selected, clusterId: selection.clusterId }
    if (rejecting === 'selected') bulk.mutate({ ...which, reason }, { ...close, onSuccess: selection.clear })
    else if (current?.claimId)
      reject.mutate({ claimId: current.claimId, revision: current.revision, reason }, close)
  }
  function move(by: 1 | -1) {
    const next = rows[rows.findIndex(({ key }) => key === current?.key) + by]
    if (!next) return
    setActive(next.key)
    if (open && next.claimId) setOpen(next.claimId)
    focusRow(next)
  }
  function focusRow(row: DeskRow | undefined) {
    if (row) document.querySelector<HTMLElement>(`[data-row="${row.key}"]`)?.focus()
  }
  const withCurrent = (act: (row: DeskRow) => void) => () => current && act(current)

  return {
    active,
    open,
    shown: rows.find(({ claimId }) => claimId === open),
    current,
    rejecting,
    helping,
    selection,
    verifying: new Set(approve.isPending ? [approve.variables.claimId] : []),
    pending: approve.isPending || reject.isPending || undo.isPending || bulk.isPending,
    verify,
    takeBack,
    toggleCard,
    askReason,
    rejectWith,
    activate: ({ key }: DeskRow) => setActive(key),
    closeCard,
    rejectSelected: () => setRejecting('selected'),
    verifySelected: () =>
      bulk.mutate(
        { claims: selection.selected, clusterId: selection.clusterId },
        { onSuccess: selection.clear },
      ),
    closeReason: () => setRejecting(null),
    help: setHelping,
    onKeyDown: deskKeys({
      move,
      open: withCurrent(toggleCard),
      verify: withCurrent((row) => isWaiting(row) && verify(row)),
      reject: withCurrent(askReason),
      undo: withCurrent((row) => !isWaiting(row) && takeBack(row)),
      select: withCurrent(selection.toggle),
      help: () => setHelping(true),
    }),
  }
}
