import { useState } from 'react'
import type { ReviewRowView } from './review-row.ts'
import { isWaiting } from './review-row.ts'

/**
 * The proof of each claim as first displayed. The list is refetched while it is being read: later edits are
 * reported, and decisions apply to the displayed revision.
 */
export function useSeenProofs(rows: readonly ReviewRowView[]) {
  const [seen, setSeen] = useState<ReadonlyMap<string, ReviewRowView>>(new Map())
  const fresh = rows.flatMap((row) =>
    row.claimId === null || seen.has(row.claimId) ? [] : [[row.claimId, row] as const],
  )
  if (fresh.length > 0) setSeen(new Map([...seen, ...fresh]))

  const seenOf = (row: ReviewRowView): ReviewRowView => seen.get(row.claimId ?? '') ?? row
  return {
    /** The proof displayed before, if a waiting claim has a new one; undefined if it is unchanged. */
    before: (row: ReviewRowView): ReviewRowView | undefined =>
      isWaiting(row) && seenOf(row).revision !== row.revision ? seenOf(row) : undefined,
    /** The row with the revision that was displayed. */
    asSeen: (row: ReviewRowView): ReviewRowView => ({ ...row, revision: seenOf(row).revision }),
    /** Marks the current proof as displayed. */
    accept: (row: ReviewRowView) => {
      if (row.claimId !== null) setSeen(new Map([...seen, [row.claimId, row]]))
    },
  }
}
