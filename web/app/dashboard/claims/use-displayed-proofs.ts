import { useEffect, useRef, useState } from 'react'
import { hasCode } from '#web/features/api/api-error.ts'
import { type ReviewRowView, isUndecided } from './review-row.ts'
import { focusRow } from './use-cursor.ts'

/** The proofs of the claims as displayed, and the dialog about one that has changed since. */
export function useProofs(rows: readonly ReviewRowView[]) {
  const { changedFrom, asDisplayed, accept } = useDisplayedProofs(rows)
  const dialog = useShownChange(rows, changedFrom)
  return {
    changedFrom,
    asDisplayed,
    accept,
    dialog,
    /** Makes `act` apply to the displayed revision; for a changed proof, opens the dialog instead. */
    unlessChanged: (act: (row: ReviewRowView) => void) => (row: ReviewRowView) =>
      changedFrom(row) ? dialog.show(row) : act(asDisplayed(row)),
    /** For an error of the call that decides on `row`: opens the dialog if it says that the proof changed. */
    showChangeOnRefusal: (row: ReviewRowView) => (error: unknown) => {
      if (hasCode(error, 'claim_changed')) dialog.show(row)
    },
  }
}

/** The proof of each claim as first displayed, to which decisions apply; later edits are reported. */
function useDisplayedProofs(rows: readonly ReviewRowView[]) {
  const [displayed, setDisplayed] = useState<ReadonlyMap<string, ReviewRowView>>(new Map())
  const added = rows.flatMap((row) =>
    row.claimId === null || displayed.has(row.claimId) ? [] : [[row.claimId, row] as const],
  )
  if (added.length > 0) setDisplayed(new Map([...displayed, ...added]))

  const displayedRow = (row: ReviewRowView): ReviewRowView => displayed.get(row.claimId ?? '') ?? row
  return {
    /** The proof displayed before, if a waiting claim has a new one; undefined if it is unchanged. */
    changedFrom: (row: ReviewRowView): ReviewRowView | undefined =>
      isUndecided(row) && displayedRow(row).revision !== row.revision ? displayedRow(row) : undefined,
    /** The row with the revision that was displayed. */
    asDisplayed: (row: ReviewRowView): ReviewRowView => ({ ...row, revision: displayedRow(row).revision }),
    /** Marks the current proof as displayed. */
    accept: (row: ReviewRowView) => {
      if (row.claimId !== null) setDisplayed(new Map([...displayed, [row.claimId, row]]))
    },
  }
}

/** The dialog: after `show`, it opens once the list has the change. Closing it focuses the claim's row. */
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
    // The dialog restores the focus, but the element that had it may have been replaced.
    if (!isShown && shownRow.current) focusRow(shownRow.current)
    shownRow.current = isShown ? requestedRow : null
  }, [isShown, requestedRow])
  return {
    shown: now && before ? { before, now } : null,
    show: (changed: ReviewRowView) => setRequestedRow(changed),
    close: () => setRequestedRow(null),
  }
}
