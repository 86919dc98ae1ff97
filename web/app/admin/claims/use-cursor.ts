import { useState } from 'react'
import type { ReviewRowView } from './review-row.ts'

/** The row that the shortcuts act on, by default the first, and the id of the claim whose card is open. */
export function useCursor(rows: readonly ReviewRowView[]) {
  const [currentKey, setCurrentKey] = useState<string>()
  const [openId, setOpenId] = useState<string | null>(null)
  const current = rows.find((row) => row.key === currentKey) ?? rows[0]
  return {
    current,
    openId,
    /** The row of the open claim; undefined if the list does not contain it. */
    listedOpenRow: rows.find(({ claimId }) => claimId !== null && claimId === openId),
    activate: (row: ReviewRowView) => setCurrentKey(row.key),
    toggle: ({ claimId }: ReviewRowView) => setOpenId(openId === claimId ? null : claimId),
    show(row: ReviewRowView) {
      setCurrentKey(row.key)
      setOpenId(row.claimId)
    },
    close() {
      setOpenId(null)
      focusRow(current)
    },
    /** Moves to the next or previous row; an open card follows if that row has a claim. */
    move(by: 1 | -1) {
      const next = rows[rows.findIndex((row) => row === current) + by]
      if (!next) return
      setCurrentKey(next.key)
      if (openId && next.claimId) setOpenId(next.claimId)
      focusRow(next)
    },
  }
}

export function focusRow(row: ReviewRowView | undefined) {
  if (row) document.querySelector<HTMLElement>(`[data-row="${row.key}"]`)?.focus()
}
