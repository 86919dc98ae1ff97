import { useState } from 'react'
import type { Asset } from '#contract/allocation.ts'
import type { Payout } from '#contract/dashboard/payouts.ts'
import { PAYOUT } from '#messages/dashboard-payout.js'
import { Button } from '#web/ui/button.tsx'
import { formatInteger } from '#web/ui/text/format.ts'
import { Checkbox } from '#web/ui/forms/checkbox.tsx'
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from '#web/ui/table.tsx'
import { DashboardSection } from '../dashboard-screen.tsx'
import { Figure, Figures } from '../ui/figure.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
import { ThawedFreezes } from './thaw.tsx'
import { amountText, useFreeze } from './use-payout.ts'

type PlanProps = {
  payout: Payout
  rates: NonNullable<Payout['rates']>
  plan: NonNullable<Payout['plan']>
}

export function Plan({ payout, rates, plan }: PlanProps) {
  const { token, coin } = payout
  const [isAsking, setAsking] = useState(false)
  const isRunning = payout.run?.state === 'running'
  return (
    <>
      <DashboardSection title={PAYOUT.plan}>
        <p className="max-w-prose text-ink-soft">{PAYOUT.planLead}</p>
        <Figures>
          <Figure label={PAYOUT.wallets}>{formatInteger(plan.approved)}</Figure>
          <Figure label={PAYOUT.undecided} needsAttention={plan.undecided > 0}>
            {formatInteger(plan.undecided)}
          </Figure>
          <Figure label={token.symbol}>{amountText(plan.amounts.pf, token)}</Figure>
          <Figure label={coin.symbol}>{amountText(plan.amounts.pls, coin)}</Figure>
        </Figures>
        <Rates payout={payout} rates={rates} plan={plan} />
        <Warnings plan={plan} token={token} />
        {plan.approved === 0 && <p className="font-semibold">{PAYOUT.nothing}</p>}
        <div>
          <Button disabled={plan.approved === 0} isPending={isRunning} onClick={() => setAsking(true)}>
            {PAYOUT.freeze}
          </Button>
        </div>
      </DashboardSection>
      <ThawedFreezes thawed={payout.thawed} />
      <FreezeDialog
        plan={plan}
        isPlaceholder={token.isPlaceholder}
        open={isAsking}
        onClose={() => setAsking(false)}
      />
    </>
  )
}

function Rates({ payout: { token, coin }, rates, plan }: PlanProps) {
  const symbols = { pf: token.symbol, pls: coin.symbol, referral: token.symbol }
  const minimumOf = (asset: Asset) => `${rates.minimum[asset]} ${symbols[asset]}`
  const hasMinimum = Number(rates.minimum.pf) > 0 || Number(rates.minimum.pls) > 0
  return (
    <>
      <Table caption={PAYOUT.points} className="max-w-2xl">
        <TableHead className="max-[30rem]:sr-only">
          <ColumnHead>{PAYOUT.points}</ColumnHead>
          <ColumnHead isNumeric>{PAYOUT.total}</ColumnHead>
          <ColumnHead isNumeric>{PAYOUT.rate}</ColumnHead>
        </TableHead>
        <TableBody>
          {(['pf', 'pls', 'referral'] as const).map((kind) => (
            <Row key={kind} className="max-[30rem]:grid max-[30rem]:grid-cols-1">
              <Cell>
                {kind === 'referral' ? PAYOUT.referralPoints : PAYOUT.pointsOf({ symbol: symbols[kind] })}
              </Cell>
              <Cell label={PAYOUT.total} className={`figures text-end ${STACKED}`}>
                {formatInteger(plan.points[kind])}
              </Cell>
              <Cell label={PAYOUT.rate} className={`figures text-end whitespace-nowrap ${STACKED}`}>
                {rates.perPoint[kind]} {symbols[kind]}
              </Cell>
            </Row>
          ))}
        </TableBody>
      </Table>
      <p className="max-w-prose text-sm text-ink-soft">
        {hasMinimum && `${PAYOUT.least({ pf: minimumOf('pf'), pls: minimumOf('pls') })} `}
        {/* For participants who share a wallet: pay it the sum, or refuse to freeze. */}
        {PAYOUT[rates.duplicateWallets]}
      </p>
    </>
  )
}

/** On a phone, a value is below the name of its points, with a label. */
const STACKED =
  'max-[30rem]:flex max-[30rem]:flex-wrap max-[30rem]:justify-between max-[30rem]:before:font-text ' +
  'max-[30rem]:before:content-[attr(data-label)]'

type WarningsProps = Pick<PlanProps, 'plan'> & Pick<Payout, 'token'>

function Warnings({ plan: { undecided, contracts, sharing }, token }: WarningsProps) {
  const warnings = [
    token.isPlaceholder && PAYOUT.warnPlaceholder({ contract: token.contract }),
    undecided > 0 && PAYOUT.warnUndecided({ count: undecided }),
    contracts > 0 && PAYOUT.warnContracts({ count: contracts }),
    sharing > 0 && PAYOUT.warnSharing({ count: sharing }),
  ].filter((warning) => warning !== false)
  if (warnings.length === 0) return null
  return (
    <ul className="grid gap-2 border-s-4 border-accent bg-ink/5 px-4 py-3">
      {warnings.map((warning) => (
        <li key={warning} className="wrap-anywhere">
          {warning}
        </li>
      ))}
    </ul>
  )
}

type FreezeDialogProps = {
  plan: PlanProps['plan']
  isPlaceholder: boolean
  open: boolean
  onClose: () => void
}

/** Asks before the freeze. If the number of undecided claims changes, their checkbox is cleared. */
function FreezeDialog({ plan, isPlaceholder, open, onClose }: FreezeDialogProps) {
  const freezing = useFreeze(onClose)
  return (
    <FormDialog
      open={open}
      title={PAYOUT.freezeTitle}
      submitLabel={PAYOUT.freezeNow}
      isPending={freezing.isPending}
      onValues={() => freezing.mutate(plan.undecided)}
      onClose={onClose}
    >
      <p>{PAYOUT.freezeLead({ count: plan.approved })}</p>
      {isPlaceholder && (
        <Checkbox required className="text-base">
          {PAYOUT.freezePlaceholder}
        </Checkbox>
      )}
      {plan.undecided > 0 && (
        <Checkbox key={plan.undecided} required className="text-base">
          {PAYOUT.freezeAnyway({ count: plan.undecided })}
        </Checkbox>
      )}
    </FormDialog>
  )
}
