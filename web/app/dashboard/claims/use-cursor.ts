import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ReviewRowView } from './review-row.ts'

/** A decision that may remove rows from the list, and with them the focus. */
type Leaving = {
  /** The rows as they were before the decision. */
  decided: readonly ReviewRowView[]
  /** The rows that may get the focus; the first that is still listed does. */
  candidates: readonly ReviewRowView[]
  /** Whether the decision is done. If false, it is done once `decided` have another status or are gone. */
  isSettled: boolean
}

/** The row that shortcuts act on, by default the first, and the claim whose card is open. */
export function useCursor(rows: readonly ReviewRowView[]) {
  const [currentKey, setCurrentKey] = useState<string>()
  const [openId, setOpenId] = useState<string | null>(null)
  const current = rows.find((row) => row.key === currentKey) ?? rows[0]
  const leaving = useRef<Leaving | null>(null)
  const followDecision = useEffectEvent(() => {
    if (!leaving.current) return
    const { decided, candidates, isSettled } = leaving.current
    const listed = new Map(rows.map((each) => [each.key, each]))
    // The list still shows a row as it was before the decision.
    if (!isSettled && decided.some(({ key, status }) => listed.get(key)?.status === status)) return
    // The dialog of a rejection closes after the row has left the list.
    if (document.querySelector('dialog[open]')) return
    leaving.current = null
    // On another page of the list, no candidate is listed.
    const next = candidates.map(({ key }) => listed.get(key)).find((candidate) => candidate !== undefined)
    if (!next || !isFocusLost()) return
    if (decided.some(({ key, claimId }) => claimId === openId && !listed.has(key))) setOpenId(next.claimId)
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
     * Call when a decision about rows is sent, or with `isSettled` when it is done. If the decision takes the
     * focus away, the focus moves to the last of these rows, or if that has left the list, to the next row or
     * else the previous one. The open card follows if its row has left.
     */
    expectLeaving(decided: readonly ReviewRowView[], { isSettled = false } = {}) {
      const keys = new Set(decided.map(({ key }) => key))
      const lastDecided = rows.findLastIndex(({ key }) => keys.has(key))
      const start = Math.max(0, lastDecided)
      const candidates = [...rows.slice(start), ...rows.slice(0, start).toReversed()]
      leaving.current = { decided, candidates, isSettled }
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

/**
 * If the focused element is removed, or later if it is disabled, the focus goes to the page, and `MainRegion`
 * may take it. The buttons of a decision are removed when their card is refetched, maybe later than the list.
 */
const isFocusLost = () => document.activeElement?.matches('body, main, :disabled, [data-decides] *') ?? true
