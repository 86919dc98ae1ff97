import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type LeftOutEntry, type Payout, payoutLeftOut } from '#contract/dashboard/payouts.ts'
import { PAYOUT } from '#messages/dashboard-payout.js'
import { call } from '#web/features/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { formatInteger, shortAddress } from '#web/ui/format.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from '#web/ui/table.tsx'
import { ListFoot } from '../loaded.tsx'
import { amountText, Part, STACKED_CELL, STACKED_ROW } from './amounts.tsx'
import { useChosenCampaign } from './use-chosen-campaign.ts'
import { PAYOUT_QUERY } from './use-payout.ts'

type FrozenAllocation = NonNullable<Payout['frozen']>
type LeftOutProps = { frozen: FrozenAllocation }

const FIGURES = classes(STACKED_CELL, 'figures text-end whitespace-nowrap')

/** What the frozen allocation does not pay: sums by reason, and each entry on request. */
export function LeftOut({ frozen }: LeftOutProps) {
  const [isListed, setListed] = useState(false)
  const list = useId()
  const { leftOut } = frozen
  if (leftOut.length === 0) return null
  return (
    <Part
      title={PAYOUT.leftOut}
      aside={
        <span className="figures">{formatInteger(leftOut.reduce((sum, { count }) => sum + count, 0))}</span>
      }
    >
      <Sums frozen={frozen} />
      <Button
        variant="secondary"
        className="justify-self-start"
        aria-expanded={isListed}
        aria-controls={list}
        onClick={() => setListed(!isListed)}
      >
        <span aria-hidden="true" className="me-2 font-mono">
          {isListed ? '−' : '+'}
        </span>
        {PAYOUT.leftOutEntries}
      </Button>
      <div id={list} className="grid gap-3 empty:hidden">
        {isListed && <Entries frozen={frozen} />}
      </div>
    </Part>
  )
}

function Sums({ frozen: { leftOut, token, coin } }: LeftOutProps) {
  return (
    <Table caption={PAYOUT.leftOut} className="max-w-3xl">
      <TableHead className="max-md:sr-only">
        <ColumnHead>{PAYOUT.leftOutReason}</ColumnHead>
        <ColumnHead figures>{PAYOUT.count}</ColumnHead>
        <ColumnHead figures>{token.symbol}</ColumnHead>
        <ColumnHead figures>{coin.symbol}</ColumnHead>
      </TableHead>
      <TableBody>
        {leftOut.map(({ reason, count, amounts }) => (
          <Row key={reason} className={STACKED_ROW}>
            <Cell className="max-md:px-0 max-md:py-0.5 max-md:font-semibold">
              {PAYOUT.leftOutReasons[reason]}
            </Cell>
            <Cell label={PAYOUT.count} className={FIGURES}>
              {formatInteger(count)}
            </Cell>
            <Cell label={token.symbol} className={FIGURES}>
              {amountText(amounts.pf, token)}
            </Cell>
            <Cell label={coin.symbol} className={FIGURES}>
              {amountText(amounts.pls, coin)}
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  )
}

function Entries({ frozen }: LeftOutProps) {
  const { query } = useChosenCampaign()
  const list = useInfiniteQuery({
    queryKey: [...PAYOUT_QUERY, query, 'left-out', frozen.root],
    queryFn: ({ pageParam }) =>
      call(payoutLeftOut, {
        query: pageParam === null ? query : { ...query, after: String(pageParam) },
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  })
  if (list.isPending) return <Skeleton className="h-32 w-full" />
  return (
    <>
      {list.data && <EntryTable entries={list.data.pages.flatMap((page) => page.data)} frozen={frozen} />}
      <ListFoot list={list} />
    </>
  )
}

type EntryTableProps = LeftOutProps & { entries: readonly LeftOutEntry[] }

function EntryTable({ entries, frozen: { token, coin } }: EntryTableProps) {
  return (
    <Table caption={PAYOUT.leftOutEntries}>
      <TableHead className="max-md:sr-only">
        <ColumnHead>{PAYOUT.participants}</ColumnHead>
        <ColumnHead>{PAYOUT.wallet}</ColumnHead>
        <ColumnHead>{PAYOUT.leftOutReason}</ColumnHead>
        <ColumnHead figures>{token.symbol}</ColumnHead>
        <ColumnHead figures>{coin.symbol}</ColumnHead>
      </TableHead>
      <TableBody>
        {entries.map(({ usernames, wallet, reason, amounts }, index) => (
          // Keyed by position: a wallet may be left out twice, once for each asset.
          <Row key={index} className={STACKED_ROW}>
            <Cell label={PAYOUT.participants} className={classes(STACKED_CELL, 'wrap-anywhere')}>
              <bdi>{usernames.join(', ')}</bdi>
            </Cell>
            <Cell label={PAYOUT.wallet} title={wallet ?? undefined} className={STACKED_CELL}>
              <span className="font-mono text-sm">{wallet === null ? '–' : shortAddress(wallet)}</span>
            </Cell>
            <Cell label={PAYOUT.leftOutReason} className={STACKED_CELL}>
              {PAYOUT.leftOutReasons[reason]}
            </Cell>
            <Cell label={token.symbol} className={FIGURES}>
              {amountText(amounts.pf, token)}
            </Cell>
            <Cell label={coin.symbol} className={FIGURES}>
              {amountText(amounts.pls, coin)}
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  )
}
