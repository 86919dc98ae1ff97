import { Children, type ReactNode } from 'react'
import type { Evidence } from '#contract/claims/evidence.ts'
import type { Cluster, Signal } from '#contract/claims/signals.ts'
import type { ClaimStatus } from '#contract/entities.ts'
import { CARD } from '#messages/dashboard-review.js'
import { Ago, withLocalTimes } from '#web/features/time/time.tsx'
import { classes } from '#web/ui/classes.ts'
import { Stamp, type StampTone } from '#web/ui/stamp.tsx'
import { CompactButton } from '../ui/compact-button.tsx'

const STAMP_TONES: Partial<Record<ClaimStatus, StampTone>> = {
  approved: 'proof',
  held: 'accent',
  rejected: 'accent',
}

export const ClaimStamp = ({ status }: { status: ClaimStatus }) => (
  <Stamp tone={STAMP_TONES[status] ?? 'ink'} className="stamp-on-sheet shrink-0">
    {CARD.status[status]}
  </Stamp>
)

/** Short facts in a line, with dots between them. There is no dot where the line breaks. */
export function DottedLine({ children }: { children: ReactNode }) {
  return (
    <p className="flex flex-wrap gap-x-4 overflow-x-clip text-ink-soft">
      {Children.toArray(children).map((fact, index) => (
        // The dot is before its fact. At the start of a line, it is outside the box, which clips it.
        <span
          key={index}
          className="relative before:absolute before:end-full before:w-4 before:text-center before:content-['·'/'']"
        >
          {fact}
        </span>
      ))}
    </p>
  )
}

/** What someone typed. Neither a thousand lines nor a letter with a thousand accents can stretch the page. */
export const TypedText = ({ text, className }: { text: string; className?: string }) => (
  <p dir="auto" className={classes('max-h-96 overflow-auto wrap-anywhere whitespace-pre-line', className)}>
    {text}
  </p>
)

const MARKS: Record<Evidence['outcome'], { mark: string; color: string }> = {
  confirmed: { mark: '✓', color: 'text-proof' },
  contradicted: { mark: '✕', color: 'text-accent-text' },
  could_not_tell: { mark: '?', color: 'text-ink-soft' },
}

export function EvidenceList({ evidence }: { evidence: readonly Evidence[] }) {
  if (evidence.length === 0) return <p className="text-ink-soft">{CARD.noEvidence}</p>
  return (
    <ul className="grid grid-cols-1 gap-3">
      {evidence.map((item) => (
        <EvidenceLine key={item.check} {...item} />
      ))}
    </ul>
  )
}

function EvidenceLine({ check, outcome, detail, source, checkedAt, seen, httpStatus }: Evidence) {
  const { mark, color } = MARKS[outcome]
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-2">
      <span aria-hidden="true" className={classes('figures font-bold', color)}>
        {mark}
      </span>
      <div className="grid grid-cols-1 gap-0.5">
        <p>
          <span className="font-semibold">{CARD.checks[check]}:</span>{' '}
          <span className={classes('font-semibold', color)}>{CARD.outcome[outcome]}.</span>{' '}
          <bdi className="wrap-anywhere">{withLocalTimes(detail)}</bdi>
        </p>
        <p className="text-xs text-ink-soft">
          {source}, <Ago at={checkedAt} />
          {httpStatus !== null && `, ${httpStatus}`}
        </p>
        {seen && (
          <details className="text-xs">
            <summary className="inline-flex min-h-11 items-center underline underline-offset-4 lg:min-h-8">
              {CARD.seen}
            </summary>
            <pre className="figures max-h-48 overflow-auto rounded-sm border border-hairline bg-paper p-2 whitespace-pre-wrap wrap-anywhere">
              {seen}
            </pre>
          </details>
        )}
      </div>
    </li>
  )
}

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

/** The signals that link a cluster's accounts, each with the number of accounts that it links. */
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
