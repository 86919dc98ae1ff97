import type { Asset } from '#contract/allocation.ts'
import type { Payout } from '#contract/dashboard/payouts.ts'
import { PAYOUT } from '#messages/dashboard-payout.js'
import { ApiError } from '#web/features/api/api-error.ts'
import { Form, type FormValues } from '#web/features/forms/form.tsx'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { formatInteger, shortAddress } from '#web/ui/format.ts'
import { Field } from '#web/ui/forms/field.tsx'
import { TextArea } from '#web/ui/forms/text-area.tsx'
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from '#web/ui/table.tsx'
import { amountText, Part, STACKED_CELL, STACKED_ROW } from './amounts.tsx'
import { Rows } from './rows.tsx'
import { useReconcile } from './use-payout.ts'

type FrozenAllocation = NonNullable<Payout['frozen']>

/** Reads payments from the chain, and shows what has become of each row. */
export function Payments({ frozen, isRunning }: { frozen: FrozenAllocation; isRunning: boolean }) {
  return (
    <Part title={PAYOUT.reconcile}>
      <p className="max-w-prose text-ink-soft">{PAYOUT.reconcileLead}</p>
      <ReconcileForm frozen={frozen} isRunning={isRunning} />
      {frozen.reconciled && <Counts frozen={frozen} reconciled={frozen.reconciled} />}
      <div className="mt-4">
        <Rows frozen={frozen} />
      </div>
    </Part>
  )
}

function ReconcileForm({
  frozen: { reconciled, coin },
  isRunning,
}: {
  frozen: FrozenAllocation
  isRunning: boolean
}) {
  const reading = useReconcile()
  const fields = reading.error instanceof ApiError ? reading.error.fields : undefined
  const submit = ({ payer = '', fromBlock = '', transactions = '' }: FormValues) =>
    reading.mutate({
      payer,
      ...(/^\d+$/.test(fromBlock.trim()) && { fromBlock: Number(fromBlock) }),
      transactions: transactions.split(/[\s,]+/).filter((hash) => hash !== ''),
    })
  return (
    <Form onValues={submit} className="grid max-w-3xl gap-5 rounded-md border border-hairline p-4 sm:p-6">
      <Field
        label={PAYOUT.payer}
        hint={PAYOUT.payerHint}
        error={fields?.['payer']}
        name="payer"
        required
        autoComplete="off"
        spellCheck={false}
        defaultValue={reconciled?.payers[0]?.payer}
      />
      <Field
        label={PAYOUT.fromBlock}
        hint={PAYOUT.fromBlockHint}
        error={fields?.['fromBlock']}
        name="fromBlock"
        inputMode="numeric"
        pattern="\s*[0-9]*\s*"
        autoComplete="off"
      />
      <TextArea
        label={PAYOUT.transactions}
        hint={PAYOUT.coinHint({ coin: coin.symbol, wrapped: `W${coin.symbol}` })}
        error={fields?.['transactions'] ?? fields?.['transactions.0']}
        name="transactions"
        rows={2}
        spellCheck={false}
      />
      <div>
        <Button type="submit" pending={reading.isPending || isRunning}>
          {PAYOUT.readPayments}
        </Button>
      </div>
    </Form>
  )
}

type Reconciled = NonNullable<FrozenAllocation['reconciled']>
const STATUSES = ['paid', 'short', 'missing', 'over', 'unreadable'] as const

function Counts({ frozen, reconciled }: { frozen: FrozenAllocation; reconciled: Reconciled }) {
  const unit = (asset: Asset) => (asset === 'pf' ? frozen.token : frozen.coin)
  return (
    <>
      <ul className="grid gap-1 text-sm text-ink-soft">
        {reconciled.payers.map(({ payer, fromBlock, toBlock }) => (
          <li key={payer} title={payer} className="figures">
            {PAYOUT.payers({ payer: shortAddress(payer), from: fromBlock, to: toBlock })}
          </li>
        ))}
      </ul>
      <Table caption={PAYOUT.reconcile}>
        <TableHead className="max-md:sr-only">
          <ColumnHead>{PAYOUT.amount}</ColumnHead>
          {STATUSES.map((status) => (
            <ColumnHead key={status} figures>
              {PAYOUT.statuses[status]}
            </ColumnHead>
          ))}
          <ColumnHead figures>{PAYOUT.received}</ColumnHead>
        </TableHead>
        <TableBody>
          {(['pf', 'pls'] as const).map((asset) => (
            <Row key={asset} className={STACKED_ROW}>
              <Cell label={PAYOUT.amount} className={classes(STACKED_CELL, 'font-semibold')}>
                {unit(asset).symbol}
              </Cell>
              {STATUSES.map((status) => (
                <Cell
                  key={status}
                  label={PAYOUT.statuses[status]}
                  className={classes(
                    STACKED_CELL,
                    'figures text-end',
                    toneOf(status, reconciled.counts[asset][status]),
                  )}
                >
                  {formatInteger(reconciled.counts[asset][status] ?? 0)}
                </Cell>
              ))}
              <Cell label={PAYOUT.received} className={classes(STACKED_CELL, 'figures text-end')}>
                {amountText(reconciled.received[asset], unit(asset))}
              </Cell>
            </Row>
          ))}
        </TableBody>
      </Table>
    </>
  )
}

function toneOf(status: (typeof STATUSES)[number], count = 0): string {
  if (count === 0) return 'text-ink-soft'
  return status === 'paid' ? 'font-semibold text-proof' : 'font-semibold text-signal-text'
}
