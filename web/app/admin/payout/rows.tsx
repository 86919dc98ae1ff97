import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Asset } from '#contract/allocation.ts'
import { payoutRows, type Payout, type PayoutEntry } from '#contract/dashboard/payouts.ts'
import { PAYOUT } from '#messages/dashboard-payout.js'
import { call } from '#web/features/api/call.ts'
import { classes } from '#web/ui/classes.ts'
import { shortAddress } from '#web/ui/format.ts'
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from '#web/ui/table.tsx'
import { ListFoot } from '../loaded.tsx'
import { Choice, Toggles } from '../toolbar.tsx'
import { amountText, STACKED_CELL, STACKED_ROW, type Unit } from './amounts.tsx'
import { useChosenCampaign } from './use-chosen-campaign.ts'
import { PAYOUT_QUERY } from './use-payout.ts'

type FrozenAllocation = NonNullable<Payout['frozen']>
type List = keyof typeof PAYOUT.lists

/** The rows of the allocation by what has become of them. */
export function Rows({ frozen }: { frozen: FrozenAllocation }) {
  const [list, setList] = useState<List>('all')
  const [asset, setAsset] = useState<Asset>('pf')
  const { query } = useChosenCampaign()
  const rows = useInfiniteQuery({
    queryKey: [...PAYOUT_QUERY, query, 'rows', frozen.root, list, asset],
    queryFn: ({ pageParam }) =>
      call(payoutRows, {
        query: { ...query, list, asset, ...(pageParam === null ? {} : { after: String(pageParam) }) },
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  })
  const entries = rows.data?.pages.flatMap(({ data }) => data) ?? []
  const unit = asset === 'pf' ? frozen.token : frozen.coin
  return (
    <div className="grid gap-3" aria-busy={rows.isFetching}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Toggles
          label={PAYOUT.rows}
          options={Object.keys(PAYOUT.lists) as List[]}
          isOn={(name) => name === list}
          onToggle={setList}
        >
          {(name) => PAYOUT.lists[name]}
        </Toggles>
        <Choice
          inline
          label={PAYOUT.amount}
          value={asset}
          options={{ pf: frozen.token.symbol, pls: frozen.coin.symbol }}
          onChoice={setAsset}
        />
      </div>
      {entries.length > 0 && (
        <EntryTable entries={entries} asset={asset} unit={unit} isRead={frozen.reconciled !== null} />
      )}
      {entries.length === 0 && !rows.isPending && !rows.isError && (
        <p className="text-ink-soft">{PAYOUT.noRows}</p>
      )}
      <ListFoot list={rows} />
    </div>
  )
}

/** `isRead`: payments have been read from the chain at least once. */
type EntryLook = { asset: Asset; unit: Unit; isRead: boolean }
type EntryTableProps = EntryLook & { entries: readonly PayoutEntry[] }

function EntryTable({ entries, ...look }: EntryTableProps) {
  return (
    <Table caption={PAYOUT.rows}>
      <TableHead className="max-md:sr-only">
        <ColumnHead>{PAYOUT.wallet}</ColumnHead>
        <ColumnHead>{PAYOUT.participants}</ColumnHead>
        <ColumnHead figures>{PAYOUT.due}</ColumnHead>
        <ColumnHead figures>{PAYOUT.received}</ColumnHead>
        <ColumnHead>{PAYOUT.state}</ColumnHead>
      </TableHead>
      <TableBody>
        {entries.map((entry) => (
          <EntryRow key={entry.wallet} entry={entry} {...look} />
        ))}
      </TableBody>
    </Table>
  )
}

type EntryRowProps = EntryLook & { entry: PayoutEntry }

function EntryRow({ entry, asset, unit, isRead }: EntryRowProps) {
  const { wallet, usernames, isContract, amounts, received, status } = entry
  const figures = classes(STACKED_CELL, 'figures text-end whitespace-nowrap')
  return (
    <Row className={STACKED_ROW}>
      <Cell label={PAYOUT.wallet} title={wallet} className={STACKED_CELL}>
        <span>
          <span className="font-mono text-sm">{shortAddress(wallet)}</span>
          {isContract && <span className="ms-2 text-sm text-signal-text">{PAYOUT.isContract}</span>}
        </span>
      </Cell>
      <Cell label={PAYOUT.participants} className={STACKED_CELL}>
        <span dir="auto">{usernames.join(', ')}</span>
      </Cell>
      <Cell label={PAYOUT.due} className={figures}>
        {amountText(amounts[asset], unit)}
      </Cell>
      <Cell label={PAYOUT.received} className={figures}>
        {amountText(received[asset], unit)}
      </Cell>
      <Cell
        label={PAYOUT.state}
        className={classes(STACKED_CELL, status[asset] === 'paid' && 'font-semibold text-proof')}
      >
        {isRead ? PAYOUT.statuses[status[asset]] : PAYOUT.notRead}
      </Cell>
    </Row>
  )
}
