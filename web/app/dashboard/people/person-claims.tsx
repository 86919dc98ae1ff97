import type { ReactNode } from 'react'
import type { PersonClaim } from '#contract/dashboard/person.ts'
import { readPostLink } from '#contract/claims/x-post.ts'
import { DASHBOARD } from '#messages/dashboard-frame.js'
import { PERSON } from '#messages/dashboard-people.js'
import { PROOF_TEXTS } from '#messages/proof.js'
import { CARD } from '#messages/dashboard-review.js'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { Timeline } from '#web/features/claim/timeline.tsx'
import { Ago, AgoIn } from '#web/features/time/time.tsx'
import { ScreenLink } from '../../screen-link.tsx'
import { ClaimStamp, DottedLine, EvidenceList, SignalList, TypedText } from '../claims/claim-parts.tsx'
import { isUndecided } from '../claims/review-row.ts'
import { DashboardSection } from '../dashboard-screen.tsx'

/** @param hasProofs false for a deleted account, whose proofs are erased. */
export function PersonClaims({ claims, hasProofs }: { claims: readonly PersonClaim[]; hasProofs: boolean }) {
  return (
    <DashboardSection title={PERSON.claims}>
      {claims.length === 0 && <p className="text-ink-soft">{PERSON.noClaims}</p>}
      {claims.map((claim) => (
        <Claim key={claim._id} claim={claim} hasProof={hasProofs} />
      ))}
    </DashboardSection>
  )
}

function Claim({ claim, hasProof }: { claim: PersonClaim; hasProof: boolean }) {
  const { status, attempt, campaign, submittedAt, decidedAt, decidedBy } = claim
  return (
    <article className="sheet grid grid-cols-1 gap-4 p-5 text-sm">
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div>
          <h3 className="font-text text-base font-semibold">{PERSON.attempt({ attempt, campaign })}</h3>
          <DottedLine>
            <Ago at={submittedAt} />
            {CARD.risk({ weight: claim.risk })}
            {decidedAt && (
              <AgoIn
                message={({ time }) =>
                  decidedBy
                    ? PERSON.decidedBy({ status: CARD.status[status], time, who: decidedBy })
                    : PERSON.decided({ status: CARD.status[status], time })
                }
                at={decidedAt}
              />
            )}
          </DottedLine>
        </div>
        <ClaimStamp status={status} />
      </header>
      {hasProof && <Proof claim={claim} />}
      <TextSection title={CARD.held} lines={claim.heldFor} />
      <TextSection title={CARD.rejection} lines={claim.rejection ? [claim.rejection.text] : []} />
      <TextSection title={CARD.appeal} lines={claim.appeal ? [claim.appeal.text] : []} />
      {claim.signals.length > 0 && (
        <section className="grid gap-2 border-t border-hairline pt-3">
          <h4 className="label font-text">{CARD.signals}</h4>
          <SignalList signals={claim.signals} />
        </section>
      )}
      <Disclosure title={CARD.evidence}>
        <EvidenceList evidence={claim.evidence} />
      </Disclosure>
      <Disclosure title={CARD.timeline}>
        <Timeline entries={claim.timeline} />
      </Disclosure>
      {isUndecided(claim) && (
        <ScreenLink
          href={`${DASHBOARD_ROUTES.claims.path}?view=waiting&search=${encodeURIComponent(claim.wallet)}`}
          className="standalone-link justify-self-start"
        >
          {PERSON.openClaim}
        </ScreenLink>
      )}
    </article>
  )
}

function Proof({ claim: { wallet, telegram, twitter, retweetLink } }: { claim: PersonClaim }) {
  const post = readPostLink(retweetLink)?.link
  return (
    <dl className="grid gap-x-6 sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-y-1 [&>dd]:max-sm:mb-2">
      <dt className="text-ink-soft">{PROOF_TEXTS.wallet.label}</dt>
      <dd className="font-mono break-all">{wallet}</dd>
      <dt className="text-ink-soft">{PROOF_TEXTS.telegram.label}</dt>
      <dd className="break-all">{telegram}</dd>
      <dt className="text-ink-soft">{PROOF_TEXTS.twitter.label}</dt>
      <dd className="break-all">{twitter}</dd>
      <dt className="text-ink-soft">{PROOF_TEXTS.retweetLink.label}</dt>
      <dd className="break-all">
        {post ? (
          <a href={post} target="_blank" rel="noopener noreferrer nofollow" className="text-link">
            {post}
          </a>
        ) : (
          DASHBOARD.none
        )}
      </dd>
    </dl>
  )
}

function TextSection({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.every((line) => line === '')) return null
  return (
    <section className="grid gap-1 border-t border-hairline pt-3">
      <h4 className="label font-text">{title}</h4>
      {lines.map((line) => (
        <TypedText key={line} text={line} />
      ))}
    </section>
  )
}

function Disclosure({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="border-t border-hairline pt-1">
      <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold underline decoration-outline underline-offset-4 hover:decoration-ink">
        {title}
      </summary>
      {children}
    </details>
  )
}
