import type { UseQueryResult } from '@tanstack/react-query'
import { type KeyboardEventHandler, useState } from 'react'
import { MAX_BULK_CLAIMS } from '#contract/dashboard/review.ts'
import { DASHBOARD, DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { DECIDE, REVIEW_WORDS } from '#messages/dashboard-review.js'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Empty } from '#web/ui/empty.tsx'
import { ScreenLink } from '../../screen-link.tsx'
import { ClaimCard } from './claim-card.tsx'
import type { ReviewRowView } from './review-row.ts'
import { ShortcutsHelp, ShortcutsSwitch, makeKeyHandler, useShortcutsSwitch } from './keyboard-shortcuts.tsx'
import { ProofChanged } from './proof-changed.tsx'
import { RejectDialog } from './reject-dialog.tsx'
import { ClaimsTable } from './table/claims-table.tsx'
import { type Review, useReview } from './use-review.ts'
import { CompactButton } from '../ui/compact-button.tsx'

type ReviewQueueProps = {
  rows: readonly ReviewRowView[]
  list: Pick<UseQueryResult, 'isPending' | 'isFetching' | 'isError' | 'refetch'> & {
    isFetchingNextPage?: boolean
  }
  /** The number of the first row in the whole list. */
  firstNumber: number
  /** Whether the search found more than the server examined. */
  isSearchCut?: boolean | undefined
  /** Loads the next page; absent on the last page. */
  onMore?: (() => void) | undefined
  /** Clears the filter. Offered if no claim matches it. */
  onAll?: () => void
}

export function ReviewQueue({ isSearchCut, onAll, ...queue }: ReviewQueueProps) {
  const { rows, list } = queue
  const review = useReview(rows)
  const { rejection, proofChange } = review
  const { openId } = review.cursor
  const [hasShortcuts, switchShortcuts] = useShortcutsSwitch()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const openHelp = () => setHelpOpen(true)
  const onKeyDown = hasShortcuts ? makeKeyHandler({ ...review.shortcuts, help: openHelp }) : undefined
  const isEmpty = rows.length === 0 && !list.isPending && !list.isError
  return (
    <>
      <ShortcutsSwitch isOn={hasShortcuts} onSwitch={switchShortcuts} onHelp={openHelp} />
      {isSearchCut && <p className="mt-3 text-sm font-semibold">{DASHBOARD_WORDS.searchCut}</p>}
      <div
        // Narrows the table's cells (`group-data-narrow/list`). The margin makes room for the card.
        data-narrow={openId ? '' : undefined}
        className={classes(
          'group/list mt-2 grid grid-cols-1 gap-6',
          openId && 'xl:mx-[calc(2rem-var(--margin))] xl:grid-cols-[minmax(0,1fr)_24rem] xl:items-start',
        )}
      >
        {openId && <ClaimCard key={openId} claimId={openId} review={review} />}
        <div aria-busy={list.isFetching} className="min-w-0">
          {isEmpty ? <EmptyList onAll={onAll} /> : <List review={review} onKeyDown={onKeyDown} {...queue} />}
        </div>
      </div>
      <RejectDialog
        target={describeTarget(review)}
        about={rejection.about}
        isCluster={rejection.target?.kind === 'cluster'}
        isPending={review.isPending}
        errors={rejection.errors}
        onConfirm={rejection.confirm}
        onClose={rejection.close}
      />
      <ProofChanged change={proofChange.shown} onAccept={proofChange.accept} onClose={proofChange.close} />
      <ShortcutsHelp open={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </>
  )
}

function EmptyList({ onAll }: { onAll: (() => void) | undefined }) {
  return (
    <Empty pose="asleep" text={onAll ? REVIEW_WORDS.nothing : DASHBOARD.empty}>
      {onAll ? (
        <Button variant="secondary" onClick={onAll}>
          {REVIEW_WORDS.showAll}
        </Button>
      ) : (
        <ScreenLink href={ROUTES.airdrop.path} className={buttonStyle('secondary')}>
          {DASHBOARD.emptyLink}
        </ScreenLink>
      )}
    </Empty>
  )
}

type ListProps = Omit<ReviewQueueProps, 'isSearchCut' | 'onAll'> & {
  review: Review
  onKeyDown: KeyboardEventHandler | undefined
}

function List({ review, onKeyDown, rows, list, firstNumber, onMore }: ListProps) {
  return (
    <>
      <ClaimsTable
        rows={rows}
        isLoading={list.isPending}
        firstNumber={firstNumber}
        review={review}
        onKeyDown={onKeyDown}
      />
      {list.isError && (
        // No role="alert": by the specification, a failure to load is logged (by the query), not announced.
        <div className="mt-6 grid justify-items-start gap-4">
          <p className="font-semibold">{DASHBOARD.failed}</p>
          <Button variant="secondary" onClick={() => void list.refetch()}>
            {DASHBOARD_WORDS.again}
          </Button>
        </div>
      )}
      {onMore && (
        <Button
          variant="secondary"
          className="mt-5"
          isPending={list.isFetchingNextPage === true}
          onClick={onMore}
        >
          {DASHBOARD_WORDS.more}
        </Button>
      )}
      <BulkBar review={review} />
    </>
  )
}

/** Actions on the selected claims. Stays at the bottom while the list scrolls. */
function BulkBar({ review: { selection, isPending, verifySelected, rejection } }: { review: Review }) {
  const count = selection.selected.size
  if (count === 0) return null
  const isTooMany = count > MAX_BULK_CLAIMS
  return (
    <div className="sticky bottom-3 z-10 mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-ink bg-sheet px-4 py-2.5 text-sm">
      <p aria-live="polite" className="me-auto font-semibold">
        {DECIDE.selected({ count })}
        {isTooMany && <span className="block font-normal">{DECIDE.tooMany({ max: MAX_BULK_CLAIMS })}</span>}
      </p>
      <CompactButton isPending={isPending} disabled={isTooMany} onClick={verifySelected}>
        {DECIDE.verifySelected}
      </CompactButton>
      <CompactButton isPending={isPending} disabled={isTooMany} onClick={rejection.openSelected}>
        {DECIDE.rejectSelected}
      </CompactButton>
      <Button size="compact" variant="quiet" onClick={selection.clear}>
        {DECIDE.clear}
      </Button>
    </div>
  )
}

function describeTarget({ rejection: { target }, selection }: Review): string | null {
  if (target?.kind === 'cluster') return DECIDE.cluster({ size: target.cluster.size })
  if (target?.kind === 'selected') return DECIDE.claims({ count: selection.selected.size })
  return target ? target.row.username : null
}
