import { useState } from 'react'
import { type Asset, ASSETS } from '#contract/allocation.ts'
import { type PayoutEntry, payoutRows } from '#contract/dashboard/payouts.ts'
import { PAYOUT } from '#messages/dashboard-payout.js'
import { unitOf } from '#web/content/units.ts'
import { Form, type FormValues } from '#web/features/forms/form.tsx'
import { Button } from '#web/ui/button.tsx'
import { formatInteger, shortenAddress } from '#web/ui/text/format.ts'
import { Field } from '#web/ui/forms/field.tsx'
import { TextArea } from '#web/ui/forms/text-area.tsx'
import { call } from '#web/features/api/call.ts'
import { DashboardSection } from '../dashboard-screen.tsx'
import { errorWithin } from '../api/error-within.ts'
import { type Column, StackedTable } from '../ui/stacked-table.tsx'
import { ListFoot, usePages } from '../ui/paged-list.tsx'
import { Choice, Toggles } from '../ui/toolbar.tsx'
import {
  amountText,
  type FrozenAllocation,
  useReconcile,
  PAYOUT_QUERY,
  useChosenCampaign,
} from './use-payout.ts'

type PaymentsProps = { frozen: FrozenAllocation; isRunning: boolean }

export function Payments({ frozen, isRunning }: PaymentsProps) {
  return (
    <DashboardSection title={PAYOUT.reconcile}>
      <p className="max-w-prose text-ink-soft">{PAYOUT.reconcileLead}</p>
      <ReconcileForm frozen={frozen} isRunning={isRunning} />
      {frozen.reconciled && <Counts frozen={frozen} reconciled={frozen.reconciled} />}
      <div className="mt-4">
        <Rows frozen={frozen} />
      </div>
    </DashboardSection>
  )
}

function ReconcileForm({ frozen: { reconciled, coin }, isRunning }: PaymentsProps) {
  const { mutate, isPending, errors } = useReconcile()
  const submit = ({ payer = '', fromBlock = '', transactions = '' }: FormValues) =>
    mutate({
      payer,
      ...(/^\d+$/.test(fromBlock.trim()) && { fromBlock: Number(fromBlock) }),
      transactions: transactions.split(/[\s,]+/).filter((hash) => hash !== ''),
    })
  return (
    <Form onValues={submit} className="grid max-w-3xl gap-5 rounded-md border border-hairline p-4 sm:p-6">
      <Field
        label={PAYOUT.payer}
        hint={PAYOUT.payerHint}
        error={errors['payer']}
        name="payer"
        required
        autoComplete="off"
        spellCheck={false}
        defaultValue={reconciled?.payers[0]?.payer}
      />
      <Field
        label={PAYOUT.fromBlock}
        hint={PAYOUT.fromBlockHint}
        error={errors['fromBlock']}
        name="fromBlock"
        inputMode="numeric"
        pattern="\s*[0-9]*\s*"
        autoComplete="off"
      />
      <TextArea
        label={PAYOUT.transactions}
        hint={PAYOUT.coinHint({ coin: coin.symbol, wrapped: `W${coin.symbol}` })}
        error={errorWithin(errors, 'transactions')}
        name="transactions"
        rows={2}
        spellCheck={false}
      />
      <div>
        <Button type="submit" isPending={isPending || isRunning}>
          {PAYOUT.readPayments}
        </Button>
      </div>
    </Form>
  )
}

type Reconciled = NonNullable<FrozenAllocation['reconciled']>
const STATUSES = ['paid', 'short', 'missing', 'over', 'unreadable'] as const

function Counts({ frozen, reconciled }: { frozen: FrozenAllocation; reconciled: Reconciled }) {
  return (
    <>
      <ul className="grid gap-1 text-sm text-ink-soft">
        {reconciled.payers.map(({ payer, fromBlock, toBlock }) => (
          <li key={payer} title={payer} className="figures">
            {PAYOUT.payers({
              payer: shortenAddress(payer),
              count: toBlock - fromBlock + 1,
              from: fromBlock,
              to: toBlock,
            })}
          </li>
        ))}
      </ul>
      <StackedTable
        caption={PAYOUT.reconcile}
        columns={[
          { name: PAYOUT.amount, className: 'font-semibold', cell: (asset) => unitOf(frozen, asset).symbol },
          ...STATUSES.map((status): Column<Asset> => ({
            name: PAYOUT.statuses[status],
            kind: 'figures',
            className: (asset) => classesOf(status, reconciled.counts[asset][status]),
            cell: (asset) => formatInteger(reconciled.counts[asset][status] ?? 0),
          })),
          {
            name: PAYOUT.received,
            kind: 'figures',
            cell: (asset) => amountText(reconciled.received[asset], unitOf(frozen, asset)),
          },
        ]}
        entries={ASSETS}
        keyOf={(asset) => asset}
      />
    </>
  )
}

function classesOf(status: (typeof STATUSES)[number], count = 0): string {
  if (count === 0) return 'text-ink-soft'
  return status === 'paid' ? 'font-semibold text-proof' : 'font-semibold text-accent-text'
}

function Rows({ frozen }: { frozen: FrozenAllocation }) {
  const [list, setList] = useState<keyof typeof PAYOUT.lists>('all')
  const [asset, setAsset] = useState<Asset>('pf')
  const { query } = useChosenCampaign()
  const rows = usePages({
    queryKey: [...PAYOUT_QUERY, query, 'rows', frozen.root, list, asset],
    fetchPage: (after) => call(payoutRows, { query: { ...query, list, asset, after } }),
  })
  const entries = rows.data?.entries ?? []
  return (
    <div className="grid gap-3" aria-busy={rows.isFetching}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Toggles label={PAYOUT.rows} options={PAYOUT.lists} value={list} onToggle={setList} />
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
  const unit = unitOf(frozen, asset)
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
      // If `reconciled` is null, payments have not been read from the chain.
      cell: ({ status }) => (frozen.reconciled === null ? PAYOUT.notRead : PAYOUT.statuses[status[asset]]),
    },
  ]
}
