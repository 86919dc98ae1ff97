import { useState } from 'react'
import type { ReviewRowView } from './review-row.ts'

/** The row that the shortcuts act on, and the claim whose card is open. */
export function useCursor(rows: readonly ReviewRowView[]) {
  const [key, setKey] = useState<string>()
  const [open, setOpen] = useState<string | null>(null)
  const current = rows.find((row) => row.key === key) ?? rows[0]
  return {
    current,
    /** The id of the open claim. */
    open,
    /** The row of the open claim; undefined if the list does not contain it. */
    openRow: rows.find(({ claimId }) => claimId === open),
    activate: (row: ReviewRowView) => setKey(row.key),
    toggle: ({ claimId }: ReviewRowView) => setOpen(open === claimId ? null : claimId),
    show(row: ReviewRowView) {
      setKey(row.key)
      setOpen(row.claimId)
    },
    close() {
      setOpen(null)
      focusRow(current)
    },
    /** Moves to the next or previous row; an open card follows if that row has a claim. */
    move(by: 1 | -1) {
      const next = rows[rows.findIndex((row) => row === current) + by]
      if (!next) return
      setKey(next.key)
      if (open && next.claimId) setOpen(next.claimId)
      focusRow(next)
    },
  }
}

/** Focuses a row of the table if it is still there. */
export function focusRow(row: ReviewRowView | undefined) {
  if (row) document.querySelector<HTMLElement>(`[data-row="${row.key}"]`)?.focus()
}
