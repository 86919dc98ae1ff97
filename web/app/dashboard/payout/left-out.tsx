import { useId, useState } from 'react'
import { ASSETS } from '#contract/allocation.ts'
import { type LeftOutEntry, payoutLeftOut } from '#contract/dashboard/payouts.ts'
import { PAYOUT } from '#messages/dashboard-payout.js'
import { unitOf } from '#web/content/units.ts'
import { call } from '#web/features/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { formatInteger, shortenAddress } from '#web/ui/text/format.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ListFoot, usePages } from '../ui/paged-list.tsx'
import { DashboardSection } from '../dashboard-screen.tsx'
import { type Column, StackedTable } from '../ui/stacked-table.tsx'
import { amountText, type FrozenAllocation, PAYOUT_QUERY, useChosenCampaign } from './use-payout.ts'

type LeftOutProps = { frozen: FrozenAllocation }

/** What the freeze does not pay, and why: sums, and each entry on request. */
export function LeftOut({ frozen }: LeftOutProps) {
  const [isListed, setListed] = useState(false)
  const listId = useId()
  if (frozen.leftOut.length === 0) return null
  const total = frozen.leftOut.reduce((sum, { count }) => sum + count, 0)
  return (
    <DashboardSection title={PAYOUT.leftOut} aside={<span className="figures">{formatInteger(total)}</span>}>
      <Sums frozen={frozen} />
      <Button
        variant="secondary"
        className="justify-self-start"
        aria-expanded={isListed}
        aria-controls={listId}
        onClick={() => setListed(!isListed)}
      >
        <span aria-hidden="true" className="me-2 font-mono">
          {isListed ? '−' : '+'}
        </span>
        {PAYOUT.leftOutEntries}
      </Button>
      <div id={listId} className="grid gap-3 empty:hidden">
        {isListed && <Entries frozen={frozen} />}
      </div>
    </DashboardSection>
  )
}

function Sums({ frozen }: LeftOutProps) {
  return (
    <StackedTable
      caption={PAYOUT.leftOut}
      className="max-w-3xl"
      columns={[
        { name: PAYOUT.leftOutReason, kind: 'heading', cell: ({ reason }) => PAYOUT.leftOutReasons[reason] },
        { name: PAYOUT.count, kind: 'amounts', cell: ({ count }) => formatInteger(count) },
        ...amountColumns(frozen),
      ]}
      entries={frozen.leftOut}
      keyOf={({ reason }) => reason}
    />
  )
}

const amountColumns = (frozen: FrozenAllocation): Column<Pick<LeftOutEntry, 'amounts'>>[] =>
  ASSETS.map((asset) => {
    const unit = unitOf(frozen, asset)
    return { name: unit.symbol, kind: 'amounts', cell: ({ amounts }) => amountText(amounts[asset], unit) }
  })

function Entries({ frozen }: LeftOutProps) {
  const { query } = useChosenCampaign()
  const list = usePages({
    queryKey: [...PAYOUT_QUERY, query, 'left-out', frozen.root],
    fetchPage: (after) => call(payoutLeftOut, { query: { ...query, after } }),
  })
  if (list.isPending) return <Skeleton className="h-32 w-full" />
  return (
    <>
      {list.data && (
        <StackedTable
          caption={PAYOUT.leftOutEntries}
          columns={[...ENTRY_COLUMNS, ...amountColumns(frozen)]}
          entries={list.data.entries}
          // Not keyed by wallet: it may be left out twice, once for each asset.
          keyOf={(_, index) => index}
        />
      )}
      <ListFoot list={list} />
    </>
  )
}

const ENTRY_COLUMNS: readonly Column<LeftOutEntry>[] = [
  {
    name: PAYOUT.participants,
    className: 'wrap-anywhere',
    cell: ({ usernames }) => <bdi>{usernames.join(', ')}</bdi>,
  },
  {
    name: PAYOUT.wallet,
    title: ({ wallet }) => wallet ?? undefined,
    cell: ({ wallet }) => (
      <span className="font-mono text-sm">{wallet === null ? '–' : shortenAddress(wallet)}</span>
    ),
  },
  { name: PAYOUT.leftOutReason, cell: ({ reason }) => PAYOUT.leftOutReasons[reason] },
]
