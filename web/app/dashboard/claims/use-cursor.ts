import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ReviewRowView } from './review-row.ts'

/** The row that shortcuts act on, by default the first, and the claim whose card is open. */
export function useCursor(rows: readonly ReviewRowView[]) {
  const [currentKey, setCurrentKey] = useState<string>()
  const [openId, setOpenId] = useState<string | null>(null)
  const current = rows.find((row) => row.key === currentKey) ?? rows[0]
  const decision = useRef<{ row: ReviewRowView; neighbors: readonly ReviewRowView[] } | null>(null)
  const followDecision = useEffectEvent(() => {
    if (!decision.current) return
    const { row, neighbors } = decision.current
    const listed = new Map(rows.map((each) => [each.key, each]))
    if (listed.has(row.key)) return
    // The dialog of a rejection closes after the row has left the list.
    if (document.querySelector('dialog[open]')) return
    decision.current = null
    // Undefined on another page of the list.
    const next = neighbors.map(({ key }) => listed.get(key)).find((neighbor) => neighbor !== undefined)
    if (!next || !isFocusLost()) return
    if (openId === row.claimId) setOpenId(next.claimId)
    focusRow(next)
  })
  // After every render, because closing the dialog does not change the rows.
  useEffect(() => followDecision())
  return {
    current,
    openId,
    /** The row of the open claim; undefined if it is not in the list. */
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
    /**
     * Call when a decision about a row is sent. If the row then leaves the list and had the focus, the next
     * row, or else the previous one, gets the focus and the open card.
     */
    expectLeaving(row: ReviewRowView) {
      const index = rows.findIndex(({ key }) => key === row.key)
      const neighbors = index < 0 ? [] : [...rows.slice(index + 1), ...rows.slice(0, index).toReversed()]
      decision.current = { row, neighbors }
    },
    /** Moves to the next or previous row. An open card follows if that row has a claim. */
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

/** If the focused element is removed, the focus goes to the page, and `MainRegion` may take it. */
const isFocusLost = () => document.activeElement?.matches('body, main') ?? true
