import type { Cluster, Signal } from '#contract/claims/signals.ts'
import { CARD } from '#messages/dashboard-review.js'
import { CompactButton } from '../../compact-button.tsx'

/** The signals of a claim with their weights. */
export function SignalList({ signals }: { signals: readonly Signal[] }) {
  return (
    <ul className="grid grid-cols-1 gap-2">
      {signals.map(({ kind, weight, reason }) => (
        <li key={kind} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3">
          <bdi>{reason}</bdi>
          <span className="figures text-xs font-bold">{CARD.weight({ weight })}</span>
        </li>
      ))}
    </ul>
  )
}

type ClusterBoxProps = {
  cluster: Cluster
  isPending: boolean
  onSelect: (cluster: Cluster) => void
  onReject: (cluster: Cluster) => void
}

/** The accounts of a cluster, the signals that link them, and the actions on all of them. */
export function ClusterBox({ cluster, isPending, onSelect, onReject }: ClusterBoxProps) {
  return (
    <>
      <ClusterReasons reasons={cluster.reasons} />
      <ul className="flex flex-wrap gap-x-3 gap-y-1">
        {cluster.members.map(({ claimId, username, status }) => (
          <li key={claimId} className="figures text-xs" title={CARD.status[status]}>
            <bdi>{username}</bdi>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CompactButton onClick={() => onSelect(cluster)}>{CARD.clusterSelect}</CompactButton>
        <CompactButton isPending={isPending} onClick={() => onReject(cluster)}>
          {CARD.clusterReject}
        </CompactButton>
      </div>
    </>
  )
}

/** The signals that link the accounts of a cluster, each with the number of accounts that it links. */
export function ClusterReasons({ reasons }: Pick<Cluster, 'reasons'>) {
  return (
    <ul className="list-disc ps-5 text-sm">
      {reasons.map(({ kind, reason, accounts }) => (
        <li key={kind}>
          <bdi>{reason}</bdi> <span className="text-ink-soft">{CARD.accounts({ count: accounts })}</span>
        </li>
      ))}
    </ul>
  )
}
