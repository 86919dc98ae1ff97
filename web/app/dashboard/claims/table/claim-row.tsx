import { useId } from 'react'
import { readPostLink } from '#contract/claims/x-post.ts'
import { type ClaimStatus, isDecided } from '#contract/entities.ts'
import { DASHBOARD } from '#messages/dashboard-frame.js'
import { PROOF_TEXTS } from '#messages/proof.js'
import { CHANGED, REVIEW_WORDS, CARD } from '#messages/dashboard-review.js'
import { classes } from '#web/ui/classes.ts'
import { EmailText } from '#web/ui/text/email-text.tsx'
import { Cell, Row } from '#web/ui/table.tsx'
import { type ReviewRowView, isUndecided, mayDecide } from '../review-row.ts'
import type { Review } from '../use-review.ts'
import { Copy } from '#web/app/dashboard/ui/copy.tsx'
import { CompactButton } from '#web/app/dashboard/ui/compact-button.tsx'

type ClaimRowProps = { row: ReviewRowView; number: number; review: Review }

/** A participant and the proof to review. Shortcuts act on the row that has the focus. */
export function ClaimRow({ row, number, review }: ClaimRowProps) {
  const { cursor, selection, proofChange } = review
  const { claimId, status } = row
  const isOpen = claimId !== null && claimId === cursor.openId
  const isSelected = claimId !== null && selection.selected.has(claimId)
  const isChanged = proofChange.claimIds.has(claimId)
  const nameId = useId()
  return (
    <Row
      data-row={row.key}
      tabIndex={row === cursor.current ? 0 : -1}
      aria-current={isOpen || undefined}
      onFocus={() => cursor.activate(row)}
      className={classes(
        STACKED,
        'outline-offset-[-3px]',
        isOpen && 'bg-ink/5 shadow-[inset_3px_0_0_var(--color-accent)]',
        isSelected && 'bg-ink/5',
      )}
    >
      <Cell className="figures text-ink-soft max-lg:p-0 max-lg:pe-2 max-lg:pt-2.5">
        <span className="flex items-center gap-2.5">
          {claimId && isUndecided(row) && !row.isOwn ? (
            // The checkbox is small, but its touch target extends beyond the row.
            <label className="-m-3.25 grid size-11 cursor-pointer place-items-center lg:-m-1.25 lg:size-7">
              <input
                type="checkbox"
                checked={isSelected}
                onChange={() => review.select(row)}
                aria-label={REVIEW_WORDS.select({ username: row.username })}
                className="size-4.5"
              />
            </label>
          ) : (
            // Keeps the numbers aligned.
            <span className="w-4.5 max-lg:hidden" />
          )}
          {number}
        </span>
      </Cell>
      <Cell id={nameId} className="font-semibold wrap-anywhere max-lg:p-0 max-lg:text-base lg:min-w-36">
        <Name row={row} isChanged={isChanged} onOpen={cursor.toggle} />
      </Cell>
      <Cell label={DASHBOARD.email} className={`wrap-anywhere lg:min-w-40 ${LABELED}`}>
        {/* In one element, which takes one column in the grid of a stacked row. */}
        <span>{row.email ? <EmailText email={row.email} /> : DASHBOARD.none}</span>
      </Cell>
      <Cell label={PROOF_TEXTS.telegram.label} className={LABELED}>
        <Copyable text={row.telegram} />
      </Cell>
      <Cell label={PROOF_TEXTS.twitter.label} className={LABELED}>
        <Copyable text={row.twitter} />
      </Cell>
      <Cell label={PROOF_TEXTS.retweetLink.label} className={LABELED}>
        <PostCell link={row.retweetLink} describedBy={nameId} />
      </Cell>
      <Cell className={`max-lg:col-start-2 max-lg:px-0 ${FULL_WIDTH}`}>
        {isChanged && (
          <CompactButton aria-describedby={nameId} className="min-w-32" onClick={() => proofChange.show(row)}>
            {CHANGED.see}
          </CompactButton>
        )}
        {status && !isChanged && (
          <VerifyButton
            status={status}
            isVerifying={claimId === review.verifyingId}
            disabled={!mayDecide(row)}
            describedBy={nameId}
            onVerify={() => review.verify(row)}
          />
        )}
        {!status && DASHBOARD.none}
      </Cell>
    </Row>
  )
}

type NameProps = { row: ReviewRowView; isChanged: boolean; onOpen: (row: ReviewRowView) => void }

function Name({ row, isChanged, onOpen }: NameProps) {
  const { claimId, username, riskBand, lockedBy, status } = row
  const notes = [
    isChanged && CHANGED.note,
    lockedBy && REVIEW_WORDS.reviewing({ name: lockedBy }),
    riskBand && riskBand !== 'low' && REVIEW_WORDS.flags[riskBand],
    status === 'held' && REVIEW_WORDS.held,
  ].filter(Boolean)
  if (!claimId) return <bdi>{username || DASHBOARD.none}</bdi>
  return (
    <>
      <button
        type="button"
        title={REVIEW_WORDS.open({ username })}
        onClick={() => onOpen(row)}
        dir="auto"
        className="min-h-11 max-w-full text-start underline decoration-outline underline-offset-4 hover:decoration-ink lg:min-h-8"
      >
        {username || DASHBOARD.none}
      </button>
      {notes.length > 0 && (
        <span className="block text-xs font-semibold text-accent-text">{notes.join(' · ')}</span>
      )}
    </>
  )
}

/** A value with a button that copies it; a dash if it is empty. */
function Copyable({ text }: { text: string }) {
  const valueId = useId()
  if (!text) return DASHBOARD.none
  return (
    <span className="inline-flex max-w-full items-center justify-between gap-x-2 max-lg:flex-wrap group-data-narrow/list:lg:flex-col group-data-narrow/list:lg:items-start group-data-narrow/list:lg:gap-0 lg:flex">
      <span id={valueId} dir="auto" className="min-w-0 break-words group-data-narrow/list:lg:max-w-40">
        {text}
      </span>
      <Copy
        text={text}
        variant="quiet"
        aria-describedby={valueId}
        className="min-w-16 shrink-0 max-lg:justify-start group-data-narrow/list:lg:min-w-0"
      />
    </span>
  )
}

function PostCell({ link, describedBy }: { link: string; describedBy: string }) {
  if (!link) return DASHBOARD.none
  const href = readPostLink(link)?.link
  if (!href) return <span className="break-all">{link}</span>
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      aria-describedby={describedBy}
      className="inline-flex min-h-11 items-center text-link whitespace-nowrap lg:min-h-8"
    >
      {DASHBOARD.viewRetweet}
    </a>
  )
}

/** On a phone with text at 200 %, a cell takes the whole width of its row. */
const FULL_WIDTH = 'max-[15rem]:col-span-full'
const STACKED =
  'max-lg:grid max-lg:grid-cols-[minmax(3.5rem,max-content)_minmax(0,1fr)] max-lg:gap-y-1 max-lg:py-4 max-lg:-mx-2 max-lg:px-2'
const LABELED =
  'max-lg:col-start-2 max-lg:grid max-lg:grid-cols-[5.75rem_minmax(0,1fr)] max-lg:items-center max-lg:gap-x-1 max-lg:p-0 min-[22rem]:max-lg:gap-x-3 ' +
  `max-lg:before:text-ink-soft max-lg:before:content-[attr(data-label)] max-[15rem]:grid-cols-1 ${FULL_WIDTH}`

type VerifyButtonProps = {
  status: ClaimStatus
  isVerifying: boolean
  disabled: boolean
  describedBy: string
  onVerify: () => void
}

/** Approves a claim: "Verify Task", then "Verifying...", then "Verified". */
function VerifyButton({ status, isVerifying, disabled, describedBy, onVerify }: VerifyButtonProps) {
  return (
    <CompactButton
      disabled={isDecided(status) || disabled}
      isPending={isVerifying}
      aria-describedby={describedBy}
      className={classes('min-w-32', status === 'approved' && 'disabled:border-proof disabled:text-proof')}
      onClick={onVerify}
    >
      {labelOf(status, isVerifying)}
    </CompactButton>
  )
}

function labelOf(status: ClaimStatus, isVerifying: boolean): string {
  if (status === 'approved') return DASHBOARD.verified
  if (status === 'rejected') return CARD.status.rejected
  return isVerifying ? DASHBOARD.verifying : DASHBOARD.verify
}
