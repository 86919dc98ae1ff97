import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'
import { type ReviewClaim, LOCK_SECONDS, lockClaim, unlockClaim } from '#contract/dashboard/review.ts'
import { CARD, DECIDE, REVIEW_WORDS } from '#messages/dashboard-review.js'
import { DASHBOARD } from '#messages/dashboard-frame.js'
import { personPath } from '#web/dashboard-routes.ts'
import { Ago } from '#web/features/time/time.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Timeline } from '#web/features/claim/timeline.tsx'
import { call } from '#web/features/api/call.ts'
import { ScreenLink } from '../../screen-link.tsx'
import { isUndecided, type ReviewRowView } from './review-row.ts'
import type { Review } from './use-review.ts'
import { ClaimStamp, ClusterBox, DottedLine, EvidenceList, SignalList, TypedText } from './claim-parts.tsx'
import { claimKey } from './use-queue.ts'
import { CompactButton } from '../ui/compact-button.tsx'

export function ClaimCard({ claimId, review }: { claimId: string; review: Review }) {
  const card = useRef<HTMLElement>(null)
  const { close, listedOpenRow } = review.cursor
  const canLock = listedOpenRow !== undefined && !listedOpenRow.isOwn
  useLock(claimId, canLock)
  const { data, isError } = review.openClaimQuery
  // From `xl` (80rem), the card is beside the list and so in view. Otherwise it is above, maybe out of view.
  useEffect(() => {
    if (!matchMedia('(width >= 80rem)').matches) card.current?.scrollIntoView()
  }, [])
  return (
    <aside
      ref={card}
      aria-label={CARD.evidence}
      aria-busy={!data && !isError}
      className="sheet p-5 text-sm xl:sticky xl:order-last xl:top-[calc(var(--header-height)+1rem)] xl:max-h-[calc(100dvb-var(--header-height)-2rem)] xl:overflow-y-auto"
    >
      <div className="grid grid-cols-1 gap-5">
        {data && <Card claim={data} review={review} />}
        {!data && (isError ? <p>{CARD.failed}</p> : <Skeleton className="h-40 w-full" />)}
        <Button size="compact" variant="quiet" onClick={close} className="justify-self-start">
          {CARD.close}
        </Button>
      </div>
    </aside>
  )
}

type CardProps = { claim: ReviewClaim; review: Review }

function Card({ claim, review }: CardProps) {
  const { username, status, attempt, submittedAt, risk, heldFor, appeal, rejection, lock } = claim
  return (
    <>
      <header className="grid grid-cols-1 gap-2">
        <div className="flex items-start justify-between gap-3">
          <h2 dir="auto" className="min-w-0 text-xl break-words">
            {username}
          </h2>
          <ClaimStamp status={status} />
        </div>
        <DottedLine>
          {CARD.attempt({ attempt })}
          <Ago at={submittedAt} />
          {CARD.risk({ weight: risk })}
        </DottedLine>
        <ScreenLink
          href={personPath(claim.userId)}
          className="inline-flex min-h-11 items-center justify-self-start text-link lg:min-h-8"
        >
          {CARD.person}
        </ScreenLink>
        {claim.isOwn && <p className="font-semibold">{REVIEW_WORDS.own}</p>}
        {claim.isSuperseded && <p className="font-semibold">{REVIEW_WORDS.superseded}</p>}
        {lock && !lock.isMine && (
          <p className="font-semibold text-accent-text">{REVIEW_WORDS.reviewing({ name: lock.by })}</p>
        )}
      </header>
      <DecisionButtons claim={claim} review={review} />
      {heldFor.length > 0 && (
        <CardSection title={CARD.held}>
          <ul className="list-disc ps-5">
            {heldFor.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </CardSection>
      )}
      {rejection && (
        <CardSection title={CARD.rejection}>
          <p dir="auto" className="whitespace-pre-line">
            {rejection.text}
          </p>
        </CardSection>
      )}
      {appeal && (
        <CardSection title={appeal.isAnswered ? CARD.appealAnswered : CARD.appeal}>
          <TypedText text={appeal.text} className="border-s-[3px] border-accent ps-3" />
          {claim.hasOpenAppeal && rejection && <p className="text-ink-soft">{CARD.appealHint}</p>}
        </CardSection>
      )}
      {claim.signals.length > 0 && (
        <CardSection title={CARD.signals}>
          <SignalList signals={claim.signals} />
        </CardSection>
      )}
      {claim.cluster && (
        <CardSection title={CARD.cluster({ size: claim.cluster.size })}>
          <ClusterBox
            cluster={claim.cluster}
            isPending={review.isPending}
            onSelect={review.selection.selectCluster}
            onReject={review.rejection.openCluster}
          />
        </CardSection>
      )}
      <CardSection title={CARD.evidence}>
        <EvidenceList evidence={claim.evidence} />
      </CardSection>
      <CardSection title={CARD.timeline}>
        <Timeline entries={claim.timeline} />
      </CardSection>
    </>
  )
}

function DecisionButtons({ claim, review }: CardProps) {
  const { isPending, openRow, verify, rejection, undo } = review
  const onRow = (act: (row: ReviewRowView) => void) => () => {
    if (openRow) act(openRow)
  }
  const isBlocked = claim.isOwn || claim.isSuperseded || (claim.lock !== null && !claim.lock.isMine)
  const isWaiting = isUndecided(claim)
  return (
    // `data-decides`: `useCursor` moves the focus on when these buttons disappear.
    <div data-decides className="flex flex-wrap gap-2">
      {isWaiting && (
        <Button size="compact" isPending={isPending} disabled={isBlocked} onClick={onRow(verify)}>
          {DASHBOARD.verify}
        </Button>
      )}
      {(isWaiting || claim.hasOpenAppeal) && (
        <CompactButton isPending={isPending} disabled={isBlocked} onClick={onRow(rejection.open)}>
          {DECIDE.reject}
        </CompactButton>
      )}
      {!isWaiting && (
        <CompactButton isPending={isPending} disabled={isBlocked} onClick={onRow(undo)}>
          {DECIDE.undo}
        </CompactButton>
      )}
    </div>
  )
}

function CardSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-2 border-t border-hairline pt-3">
      <h3 className="label font-text">{title}</h3>
      {children}
    </section>
  )
}

/** Less than half of the lock's lease, so that one failed call does not lose the lock. */
const RENEW_MS = LOCK_SECONDS * 1_000 * 0.4

/** Keeps other reviewers from deciding a claim while its card is open. */
function useLock(claimId: string, canLock: boolean) {
  const queries = useQueryClient()
  useEffect(() => {
    if (!canLock) return
    let isOpen = true
    const acquire = async () => {
      // The card shows who has the lock, and `call` logs the refusal.
      await call(lockClaim, { params: { claimId } }).catch(() => {})
      if (isOpen) void queries.invalidateQueries({ queryKey: claimKey(claimId) })
    }
    let locking = acquire()
    const renewal = setInterval(() => {
      locking = acquire()
    }, RENEW_MS)
    return () => {
      isOpen = false
      clearInterval(renewal)
      // Waits for a pending lock call. If that arrived after the unlock, the claim would stay locked.
      void locking.then(() => call(unlockClaim, { params: { claimId } })).catch(() => {})
    }
  }, [claimId, canLock, queries])
}
