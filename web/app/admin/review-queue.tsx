import type { ReactNode } from 'react'
import { DASHBOARD } from '#web/content/dashboard.ts'
import { DECIDE, REVIEW_WORDS } from '#web/content/review.ts'
import { ROUTES } from '#web/routes.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Empty } from '#web/ui/empty.tsx'
import { ScreenLink } from '../screen-link.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { ClaimCard } from './claim-card.tsx'
import type { ReviewRowView } from './review-row.ts'
import { KeysHelp } from './keys-help.tsx'
import { KeysSwitch, useKeysSwitch } from './keys-switch.tsx'
import { ProofChanged } from './proof-changed.tsx'
import { RejectDialog } from './reject-dialog.tsx'
import { SubmissionsTable } from './submissions-table.tsx'
import { useReview } from './use-review.ts'

type DeskProps = {
  rows: readonly ReviewRowView[]
  list: { isPending: boolean; isFetching: boolean; isError: boolean; refetch: () => unknown }
  size: number
  firstNumber: number
  isSearchCut?: boolean | undefined
  /** Loads the next page; absent on the last page. */
  onMore?: (() => void) | undefined
  /** Clears a filter that matches nothing. */
  onAll?: () => void
}

type DeskState = ReturnType<typeof useReview>

/** A list of claims with the card of the open one and all review actions. */
export function ReviewQueue({ isSearchCut, onAll, ...list }: DeskProps) {
  const desk = useReview(list.rows)
  const [keysOn, switchKeys] = useKeysSwitch()
  const isEmpty = list.rows.length === 0 && !list.list.isPending && !list.list.isError
  return (
    <>
      <KeysSwitch on={keysOn} onSwitch={switchKeys} onHelp={() => desk.help(true)} />
      {isSearchCut && <p className="mt-3 text-sm font-semibold">{REVIEW_WORDS.searchCut}</p>}
      <div
        data-narrow={desk.open ? '' : undefined}
        className={classes(
          'group/desk mt-2 grid grid-cols-1 gap-6',
          desk.open && 'xl:grid-cols-[minmax(0,1fr)_24rem] xl:items-start',
        )}
      >
        <OpenCard desk={desk} />
        <div aria-busy={list.list.isFetching} className="min-w-0">
          {isEmpty ? <Nothing onAll={onAll} /> : <List desk={desk} keysOn={keysOn} {...list} />}
        </div>
      </div>
      <RejectDialog
        who={whoIs(desk)}
        isCluster={typeof desk.rejecting === 'object' && desk.rejecting !== null}
        pending={desk.pending}
        onReason={desk.rejectWith}
        onClose={desk.closeReason}
      />
      <ProofChanged change={desk.change} onLook={desk.lookAgain} onClose={desk.closeChange} />
      <KeysHelp open={desk.helping} onClose={() => desk.help(false)} />
    </>
  )
}

function OpenCard({ desk }: { desk: DeskState }) {
  const { open, shown, verify, askReason, takeBack } = desk
  if (!open) return null
  return (
    <div className="xl:order-last">
      <ClaimCard
        key={open}
        claimId={open}
        mayLock={shown !== undefined && !shown.isOwn}
        pending={desk.pending}
        onVerify={() => shown && verify(shown)}
        onReject={() => shown && askReason(shown)}
        onUndo={() => shown && takeBack(shown)}
        onClose={desk.closeCard}
        onCluster={desk.selection.takeCluster}
        onRejectCluster={desk.askClusterReason}
      />
    </div>
  )
}

type ListProps = Omit<DeskProps, 'isSearchCut' | 'onAll'> & { desk: DeskState; keysOn: boolean }

function List({ desk, keysOn, rows, list, size, firstNumber, onMore }: ListProps) {
  const { selection } = desk
  return (
    <>
      <SubmissionsTable
        rows={rows}
        loading={list.isPending}
        size={size}
        firstNumber={firstNumber}
        active={desk.active}
        open={desk.open}
        selected={selection.selected}
        verifying={desk.verifying}
        changed={desk.changed}
        onActive={desk.activate}
        onOpen={desk.toggleCard}
        onSelect={selection.toggle}
        onVerify={desk.verify}
        onChange={desk.showChange}
        onKeyDown={keysOn ? desk.onKeyDown : undefined}
      />
      {list.isError && (
        <Button variant="secondary" className="mt-4" onClick={() => void list.refetch()}>
          {DASHBOARD.again}
        </Button>
      )}
      {onMore && (
        <Button variant="secondary" className="mt-5" pending={list.isFetching} onClick={onMore}>
          {REVIEW_WORDS.more}
        </Button>
      )}
      <BulkBar
        count={selection.selected.size}
        pending={desk.pending}
        onVerify={desk.verifySelected}
        onReject={desk.rejectSelected}
        onClear={selection.clear}
      />
    </>
  )
}

function whoIs({ rejecting, current, selection }: DeskState): string | null {
  if (typeof rejecting === 'object' && rejecting !== null) return DECIDE.cluster(rejecting.size)
  if (rejecting === 'selected') return DECIDE.claims(selection.selected.size)
  return rejecting === 'one' && current ? current.username : null
}

function Nothing({ onAll }: { onAll: (() => void) | undefined }) {
  const text = onAll ? REVIEW_WORDS.nothing : DASHBOARD.empty
  const wayOn: ReactNode = onAll ? (
    <Button variant="secondary" onClick={onAll}>
      {REVIEW_WORDS.nothingWayOn}
    </Button>
  ) : (
    <ScreenLink href={ROUTES.airdrop.path} className={buttonStyle('secondary')}>
      {DASHBOARD.emptyWayOn}
    </ScreenLink>
  )
  return <Empty pose="asleep" text={text} wayOn={wayOn} />
}
