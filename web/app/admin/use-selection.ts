import { useState } from 'react'
import type { Cluster } from '#contract/signals.ts'
import type { DeskRow } from './desk-row.ts'
import { isWaiting } from './desk-row.ts'

const NOTHING: ReadonlySet<string> = new Set()

/** The claims that are decided together. What is no longer waiting in the list falls out by itself. */
export function useSelection(rows: readonly DeskRow[]) {
  const [chosen, setChosen] = useState(NOTHING)
  const [cluster, setCluster] = useState<Cluster | null>(null)
  const decided = new Set(rows.filter((row) => !isWaiting(row)).map(({ claimId }) => claimId))
  const selected = new Set([...chosen].filter((claimId) => !decided.has(claimId)))
  const members = new Set(cluster?.members.map(({ claimId }) => claimId))

  function toggle(row: DeskRow) {
    const { claimId } = row
    if (!claimId || !isWaiting(row) || row.isOwn) return
    const others = [...selected].filter((id) => id !== claimId)
    setChosen(new Set(selected.has(claimId) ? others : [...others, claimId]))
  }
  /** Selects those of a cluster that wait, whether the list shows them or not. */
  function takeCluster(taken: Cluster) {
    const waiting = taken.members.filter((member) => isWaiting(member))
    setCluster(taken)
    setChosen(new Set(waiting.map(({ claimId }) => claimId)))
  }
  return {
    selected,
    /** The cluster that all of the selected belong to: whoever decides a cluster decides what is held in it. */
    clusterId: [...selected].every((id) => members.has(id)) ? cluster?.id : undefined,
    toggle,
    takeCluster,
    clear: () => setChosen(NOTHING),
  }
}
