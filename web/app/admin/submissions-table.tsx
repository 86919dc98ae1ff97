import type { User } from '#contract/entities.ts'
import { DASHBOARD } from '#web/content/dashboard.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from '#web/ui/table.tsx'
import { SubmissionRow } from './submission-row.tsx'

const COLUMNS = [
  DASHBOARD.number,
  DASHBOARD.username,
  DASHBOARD.email,
  DASHBOARD.telegram,
  DASHBOARD.twitter,
  DASHBOARD.retweetLink,
  DASHBOARD.action,
]

type SubmissionsTableProps = {
  /** Absent while they are loading, and after a load that failed. */
  users: readonly User[] | undefined
  loading: boolean
  /** How many rows a page has. */
  rows: number
  firstNumber: number
}

/** One page of submissions, in their order of arrival; a stacked card for each on a narrow screen. */
export function SubmissionsTable({ users = [], loading, rows, firstNumber }: SubmissionsTableProps) {
  return (
    <Table caption={DASHBOARD.title} className="text-sm">
      <TableHead className="max-lg:sr-only">
        {COLUMNS.map((column) => (
          <ColumnHead key={column}>{column}</ColumnHead>
        ))}
      </TableHead>
      <TableBody className="max-lg:block">
        {loading && Array.from({ length: rows }, (_, row) => <PlaceholderRow key={row} />)}
        {users.map((user, index) => (
          <SubmissionRow key={user._id} user={user} number={firstNumber + index} />
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
