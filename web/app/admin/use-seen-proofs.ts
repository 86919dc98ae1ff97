import { useState } from 'react'
import type { ReviewRowView } from './review-row.ts'
import { isWaiting } from './review-row.ts'

/**
 * The proof of each claim as the list showed it first. The list is loaded anew while it is read: an edit that comes
 * with it is told, and what is decided is what was seen.
 */
export function useSeenProofs(rows: readonly ReviewRowView[]) {
  const [seen, setSeen] = useState<ReadonlyMap<string, ReviewRowView>>(new Map())
  const fresh = rows.flatMap((row) =>
    row.claimId === null || seen.has(row.claimId) ? [] : [[row.claimId, row] as const],
  )
  if (fresh.length > 0) setSeen(new Map([...seen, ...fresh]))

  const seenOf = (row: ReviewRowView): ReviewRowView => seen.get(row.claimId ?? '') ?? row
  return {
    /** What was seen of a claim that waits with another proof now; undefined while it is the same. */
    before: (row: ReviewRowView): ReviewRowView | undefined =>
      isWaiting(row) && seenOf(row).revision !== row.revision ? seenOf(row) : undefined,
    /** The row, naming the proof that was seen. */
    asSeen: (row: ReviewRowView): ReviewRowView => ({ ...row, revision: seenOf(row).revision }),
    /** From now on the proof counts as seen as it is. */
    accept: (row: ReviewRowView) => {
      if (row.claimId !== null) setSeen(new Map([...seen, [row.claimId, row]]))
    },
  }
}
