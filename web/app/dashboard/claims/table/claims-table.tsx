import type { KeyboardEventHandler } from 'react'
import { DASHBOARD } from '#messages/dashboard-frame.js'
import { PROOF_TEXTS } from '#messages/proof.js'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from '#web/ui/table.tsx'
import type { ReviewRowView } from '../review-row.ts'
import type { Review } from '../use-review.ts'
import { ClaimRow } from './claim-row.tsx'

/** `placeholder`: as wide as what most rows have in the column, so that little moves when the rows arrive. */
const COLUMNS = [
  { title: DASHBOARD.number, placeholder: 'lg:w-12' },
  { title: DASHBOARD.username, placeholder: 'lg:w-30' },
  { title: DASHBOARD.email, placeholder: 'lg:w-68' },
  { title: PROOF_TEXTS.telegram.label, placeholder: 'lg:w-48' },
  { title: PROOF_TEXTS.twitter.label, placeholder: 'lg:w-38' },
  { title: PROOF_TEXTS.retweetLink.label, placeholder: 'lg:w-26' },
  { title: DASHBOARD.action, placeholder: 'lg:w-32' },
]

export const PAGE_SIZE = 20

type ClaimsTableProps = {
  rows: readonly ReviewRowView[]
  isLoading: boolean
  firstNumber: number
  review: Review
  onKeyDown: KeyboardEventHandler | undefined
}

/** “Users with Completed Tasks”: the claims of the review screen, as stacked cards on a narrow screen. */
export function ClaimsTable({ rows, isLoading, firstNumber, review, onKeyDown }: ClaimsTableProps) {
  return (
    <Table caption={DASHBOARD.title} className="text-sm group-data-narrow/list:lg:[&_:is(td,th)]:px-2">
      <TableHead className="max-lg:sr-only">
        {COLUMNS.map(({ title }) => (
          <ColumnHead key={title}>{title}</ColumnHead>
        ))}
      </TableHead>
      <TableBody className="max-lg:block" onKeyDown={onKeyDown}>
        {isLoading && Array.from({ length: PAGE_SIZE }, (_, row) => <PlaceholderRow key={row} />)}
        {rows.map((row, index) => (
          <ClaimRow key={row.key} row={row} number={firstNumber + index} review={review} />
        ))}
      </TableBody>
    </Table>
  )
}

function PlaceholderRow() {
  return (
    <Row data-placeholder className="max-lg:grid max-lg:py-3">
      {COLUMNS.map(({ title, placeholder }) => (
        <Cell key={title}>
          <Skeleton className={`h-5 w-full lg:my-1.5 ${placeholder}`} />
        </Cell>
      ))}
    </Row>
  )
}
