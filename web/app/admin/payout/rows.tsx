import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Asset } from '#contract/allocation.ts'
import { type PayoutEntry, payoutRows } from '#contract/dashboard/payouts.ts'
import { PAYOUT } from '#messages/dashboard-payout.js'
import { call } from '#web/features/api/call.ts'
import { shortenAddress } from '#web/ui/format.ts'
import { ListFoot } from '../query-content.tsx'
import { Choice, Toggles } from '../toolbar.tsx'
import { type Column, StackedTable } from '../stacked-table.tsx'
import { amountText, type FrozenAllocation, PAYOUT_QUERY, useChosenCampaign } from './use-payout.ts'

type ListName = keyof typeof PAYOUT.lists

/** The rows of the allocation, filtered by how far they have been paid in one asset. */
export function Rows({ frozen }: { frozen: FrozenAllocation }) {
  const [list, setList] = useState<ListName>('all')
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
  return (
    <div className="grid gap-3" aria-busy={rows.isFetching}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Toggles
          label={PAYOUT.rows}
          options={Object.keys(PAYOUT.lists) as ListName[]}
          isOn={(name) => name === list}
          onToggle={setList}
        >
          {(name) => PAYOUT.lists[name]}
        </Toggles>
        <Choice
          isInline
          label={PAYOUT.amount}
          value={asset}
          options={{ pf: frozen.token.symbol, pls: frozen.coin.symbol }}
          onChoice={setAsset}
        />
      </div>
      {entries.length > 0 && (
        <StackedTable
          caption={PAYOUT.rows}
          columns={columnsOf(frozen, asset)}
          entries={entries}
          keyOf={({ wallet }) => wallet}
        />
      )}
      {entries.length === 0 && !rows.isPending && !rows.isError && (
        <p className="text-ink-soft">{PAYOUT.noRows}</p>
      )}
      <ListFoot list={rows} />
    </div>
  )
}

const columnsOf = (frozen: FrozenAllocation, asset: Asset): Column<PayoutEntry>[] => {
  const unit = asset === 'pf' ? frozen.token : frozen.coin
  return [
    {
      name: PAYOUT.wallet,
      title: ({ wallet }) => wallet,
      cell: ({ wallet, isContract }) => (
        <span>
          <span className="font-mono text-sm">{shortenAddress(wallet)}</span>
          {isContract && <span className="ms-2 text-sm text-accent-text">{PAYOUT.isContract}</span>}
        </span>
      ),
    },
    { name: PAYOUT.participants, cell: ({ usernames }) => <span dir="auto">{usernames.join(', ')}</span> },
    { name: PAYOUT.due, kind: 'amounts', cell: ({ amounts }) => amountText(amounts[asset], unit) },
    { name: PAYOUT.received, kind: 'amounts', cell: ({ received }) => amountText(received[asset], unit) },
    {
      name: PAYOUT.state,
      className: ({ status }) => (status[asset] === 'paid' ? 'font-semibold text-proof' : ''),
      // `reconciled` is null until payments have been read from the chain.
      cell: ({ status }) => (frozen.reconciled === null ? PAYOUT.notRead : PAYOUT.statuses[status[asset]]),
    },
  ]
}
