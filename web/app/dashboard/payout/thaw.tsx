import { useState } from 'react'
import { type Payout, MAX_THAW_REASON_LENGTH } from '#contract/dashboard/payouts.ts'
import { PAYOUT } from '#messages/dashboard-payout.js'
import { Ago } from '#web/features/time/time.tsx'
import { Button } from '#web/ui/button.tsx'
import { shortenAddress } from '#web/ui/text/format.ts'
import { pastePlain } from '#web/ui/forms/paste-plain.ts'
import { TextArea } from '#web/ui/forms/text-area.tsx'
import { DashboardSection } from '../dashboard-screen.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
import { type FrozenAllocation, useThaw } from './use-payout.ts'

/** Undoes the freeze, with a reason for the journal. Offered until payments are recorded. */
export function Thaw({ frozen }: { frozen: FrozenAllocation }) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const thawing = useThaw(close)
  const received = frozen.reconciled?.received
  if (received && (received.pf !== '0' || received.pls !== '0')) return null
  return (
    <div>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        {PAYOUT.thaw}
      </Button>
      <FormDialog
        open={isAsking}
        title={PAYOUT.thawTitle}
        submitLabel={PAYOUT.thawNow}
        isPending={thawing.isPending}
        onValues={({ reason = '' }) => thawing.mutate(reason)}
        onClose={close}
      >
        <TextArea
          label={PAYOUT.thawReason}
          hint={PAYOUT.thawLead}
          name="reason"
          rows={3}
          required
          maxLength={MAX_THAW_REASON_LENGTH}
          onPaste={pastePlain}
        />
      </FormDialog>
    </div>
  )
}

export function ThawedFreezes({ thawed }: Pick<Payout, 'thawed'>) {
  if (thawed.length === 0) return null
  return (
    <DashboardSection title={PAYOUT.thawed}>
      <ul className="grid gap-3">
        {thawed.map(({ number, root, thawedAt, reason }) => (
          <li key={number} className="grid gap-0.5 border-b border-hairline pb-3">
            <p className="flex flex-wrap gap-x-4 text-sm text-ink-soft">
              <span>#{number}</span>
              <span className="font-mono" title={root}>
                {shortenAddress(root)}
              </span>
              <Ago at={thawedAt} />
            </p>
            <p dir="auto">{reason}</p>
          </li>
        ))}
      </ul>
    </DashboardSection>
  )
}
