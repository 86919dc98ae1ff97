import type { KeyboardEventHandler } from 'react'
import { DASHBOARD } from '#messages/dashboard-frame.js'
import { PROOF_TEXTS } from '#messages/proof.js'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from '#web/ui/table.tsx'
import type { ReviewRowView } from '../review-row.ts'
import { type RowActions, SubmissionRow } from './submission-row.tsx'

const COLUMNS = [
  DASHBOARD.number,
  DASHBOARD.username,
  DASHBOARD.email,
  PROOF_TEXTS.telegram.label,
  PROOF_TEXTS.twitter.label,
  PROOF_TEXTS.retweetLink.label,
  DASHBOARD.action,
]

type SubmissionsTableProps = RowActions & {
  rows: readonly ReviewRowView[]
  isLoading: boolean
  /** Rows per page. */
  size: number
  firstNumber: number
  /** The row in the tab order. */
  current: ReviewRowView | undefined
  /** The id of the claim whose card is open. */
  open: string | null
  /** Ids of the selected claims, with their revisions. */
  selected: ReadonlyMap<string, string | undefined>
  /** The id of the claim that is being approved. */
  verifying: string | undefined
  /** Ids of the claims whose proof has changed since it was displayed. */
  changed: ReadonlySet<string | null>
  onKeyDown: KeyboardEventHandler | undefined
}

/** One page of claims; stacked cards on a narrow screen. */
export function SubmissionsTable(props: SubmissionsTableProps) {
  const {
    rows,
    isLoading,
    size,
    firstNumber,
    current,
    open,
    selected,
    verifying,
    changed,
    onKeyDown,
    ...actions
  } = props
  return (
    <Table caption={DASHBOARD.title} className="text-sm group-data-narrow/list:lg:[&_:is(td,th)]:px-2">
      <TableHead className="max-lg:sr-only">
        {COLUMNS.map((column) => (
          <ColumnHead key={column}>{column}</ColumnHead>
        ))}
      </TableHead>
      <TableBody className="max-lg:block" onKeyDown={onKeyDown}>
        {isLoading && Array.from({ length: size }, (_, row) => <PlaceholderRow key={row} />)}
        {rows.map((row, index) => (
          <SubmissionRow
            key={row.key}
            row={row}
            number={firstNumber + index}
            isActive={row === current}
            isOpen={open !== null && row.claimId === open}
            isSelected={row.claimId !== null && selected.has(row.claimId)}
            isChanged={changed.has(row.claimId)}
            isVerifying={row.claimId !== null && row.claimId === verifying}
            {...actions}
          />
        ))}
      </TableBody>
    </Table>
  )
}

function PlaceholderRow() {
  return (
    <Row data-placeholder className="max-lg:grid max-lg:py-3">
      {COLUMNS.map((column) => (
        <Cell key={column}>
          <Skeleton className="h-5 w-full lg:my-1.5" />
        </Cell>
      ))}
    </Row>
  )
}
