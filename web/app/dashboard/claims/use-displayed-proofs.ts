import { useEffect, useRef, useState } from 'react'
import { hasCode } from '#web/features/api/api-error.ts'
import { type ReviewRowView, isUndecided } from './review-row.ts'
import { focusRow } from './use-cursor.ts'

/** The proofs as they were displayed, and a dialog for a proof that has changed since. */
export function useProofs(rows: readonly ReviewRowView[]) {
  const { changedFrom, asDisplayed, accept } = useDisplayedProofs(rows)
  const dialog = useShownChange(rows, changedFrom)
  return {
    changedFrom,
    asDisplayed,
    accept,
    dialog,
    /** Makes `act` apply to the displayed revision. If the proof has changed, opens the dialog instead. */
    unlessChanged: (act: (row: ReviewRowView) => void) => (row: ReviewRowView) =>
      changedFrom(row) ? dialog.show(row) : act(asDisplayed(row)),
    /** Handles an error of the decision on `row`: if the proof has changed, opens the dialog. */
    showChangeOnRefusal: (row: ReviewRowView) => (error: unknown) => {
      if (hasCode(error, 'claim_changed')) dialog.show(row)
    },
  }
}

/** Each claim's proof when it was first displayed, to which decisions apply. Later edits are reported. */
function useDisplayedProofs(rows: readonly ReviewRowView[]) {
  const [displayed, setDisplayed] = useState<ReadonlyMap<string, ReviewRowView>>(new Map())
  const added = rows.flatMap((row) =>
    row.claimId === null || displayed.has(row.claimId) ? [] : [[row.claimId, row] as const],
  )
  if (added.length > 0) setDisplayed(new Map([...displayed, ...added]))

  const displayedRow = (row: ReviewRowView): ReviewRowView => displayed.get(row.claimId ?? '') ?? row
  return {
    /** The proof that was displayed, if an undecided claim has a newer one; undefined if not. */
    changedFrom: (row: ReviewRowView): ReviewRowView | undefined =>
      isUndecided(row) && displayedRow(row).revision !== row.revision ? displayedRow(row) : undefined,
    /** The row with the revision that was displayed. */
    asDisplayed: (row: ReviewRowView): ReviewRowView => ({ ...row, revision: displayedRow(row).revision }),
    /** Makes the row's current proof the one to which decisions apply. */
    accept: (row: ReviewRowView) => {
      if (row.claimId !== null) setDisplayed(new Map([...displayed, [row.claimId, row]]))
    },
  }
}

/** The dialog. It opens after `show`, once the list has the change. Closing it focuses the claim's row. */
function useShownChange(
  rows: readonly ReviewRowView[],
  changedFrom: (row: ReviewRowView) => ReviewRowView | undefined,
) {
  const [requestedRow, setRequestedRow] = useState<ReviewRowView | null>(null)
  const shownRow = useRef<ReviewRowView>(null)
  const now = rows.find(({ claimId }) => claimId === requestedRow?.claimId)
  const before = now && changedFrom(now)
  const isShown = before !== undefined
  useEffect(() => {
    // The dialog gives the focus back, but perhaps to an element that is gone.
    if (!isShown && shownRow.current) focusRow(shownRow.current)
    shownRow.current = isShown ? requestedRow : null
  }, [isShown, requestedRow])
  return {
    shown: now && before ? { before, now } : null,
    show: (changed: ReviewRowView) => setRequestedRow(changed),
    close: () => setRequestedRow(null),
  }
}
