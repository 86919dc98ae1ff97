import type { Evidence } from '#contract/claims/evidence.ts'
import type { ClaimStatus } from '#contract/entities.ts'
import { CARD } from '#messages/dashboard-review.js'
import { Ago, withLocalTimes } from '#web/features/time/time.tsx'
import { classes } from '#web/ui/classes.ts'
import { Stamp, type StampTone } from '#web/ui/stamp.tsx'

const MARKS: Record<Evidence['outcome'], { mark: string; color: string }> = {
  confirmed: { mark: '✓', color: 'text-proof' },
  contradicted: { mark: '✕', color: 'text-accent-text' },
  could_not_tell: { mark: '?', color: 'text-ink-soft' },
}

/** The outcome of each check, with its source and time. */
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

const STAMP_TONES: Partial<Record<ClaimStatus, StampTone>> = {
  approved: 'proof',
  held: 'accent',
  rejected: 'accent',
}

/** The status of a claim, as a stamp on its card. */
export const ClaimStamp = ({ status }: { status: ClaimStatus }) => (
  <Stamp tone={STAMP_TONES[status] ?? 'ink'} className="stamp-on-sheet shrink-0">
    {CARD.status[status]}
  </Stamp>
)
