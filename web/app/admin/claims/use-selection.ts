import { useState } from 'react'
import type { Cluster } from '#contract/claims/signals.ts'
import { type ReviewRowView, isUndecided } from './review-row.ts'

const EMPTY_SELECTION: ReadonlyMap<string, string | undefined> = new Map()

/** The selected claims, each with its revision when selected. Drops claims that the list shows as decided. */
export function useSelection(rows: readonly ReviewRowView[]) {
  const [selection, setSelection] = useState(EMPTY_SELECTION)
  const [cluster, setCluster] = useState<Cluster | null>(null)
  const decided = new Set(rows.filter((row) => !isUndecided(row)).map(({ claimId }) => claimId))
  const selected = new Map([...selection].filter(([claimId]) => !decided.has(claimId)))
  const members = new Set(cluster?.members.map(({ claimId }) => claimId))

  function toggle(row: ReviewRowView) {
    const { claimId } = row
    if (!claimId || !isUndecided(row) || row.isOwn) return
    const others = [...selected].filter(([id]) => id !== claimId)
    setSelection(new Map(selected.has(claimId) ? others : [...others, [claimId, row.revision]]))
  }
  /** Selects the waiting claims of a cluster, whether the list shows them or not. */
  function selectCluster(next: Cluster) {
    const waiting = next.members.filter((member) => isUndecided(member))
    setCluster(next)
    setSelection(new Map(waiting.map(({ claimId, revision }) => [claimId, revision])))
  }
  return {
    selected,
    /** The id of the cluster with all selected claims; with it, a bulk decision may include held claims. */
    clusterId: [...selected.keys()].every((id) => members.has(id)) ? cluster?.id : undefined,
    toggle,
    selectCluster,
    clear() {
      setCluster(null)
      setSelection(EMPTY_SELECTION)
    },
  }
}
