import { type Payout, THAW_REASON_LENGTH } from '#contract/dashboard/payouts.ts'
import { PAYOUT } from '#messages/dashboard-payout.js'
import { TextArea } from '#web/ui/forms/text-area.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { useFreeze, useThaw } from './use-payout.ts'

type DialogProps = { open: boolean; onClose: () => void }

type FreezeDialogProps = DialogProps & { plan: NonNullable<Payout['plan']>; isPlaceholder: boolean }

/**
 * Asks before freezing; a placeholder contract and undecided claims, which are left out, must be ticked, and
 * again if their number has changed.
 */
export function FreezeDialog({ plan, isPlaceholder, open, onClose }: FreezeDialogProps) {
  const freezing = useFreeze(onClose)
  return (
    <FormDialog
      open={open}
      title={PAYOUT.freezeTitle}
      yes={PAYOUT.freezeNow}
      isPending={freezing.isPending}
      onValues={() => freezing.mutate(plan.undecided)}
      onClose={onClose}
    >
      <p>{PAYOUT.freezeLead({ count: plan.approved })}</p>
      {isPlaceholder && <RequiredCheck text={PAYOUT.freezePlaceholder} />}
      {plan.undecided > 0 && (
        <RequiredCheck key={plan.undecided} text={PAYOUT.freezeAnyway({ count: plan.undecided })} />
      )}
    </FormDialog>
  )
}

/** A statement that has to be ticked before the freeze. */
function RequiredCheck({ text }: { text: string }) {
  return (
    <label className="flex min-h-11 cursor-pointer items-start gap-3 py-2">
      <input type="checkbox" required className="mt-0.5 size-5 shrink-0" />
      <span>{text}</span>
    </label>
  )
}

/** Asks for the reason that goes into the journal. */
export function ThawDialog({ open, onClose }: DialogProps) {
  const thawing = useThaw(onClose)
  return (
    <FormDialog
      open={open}
      title={PAYOUT.thawTitle}
      yes={PAYOUT.thawNow}
      isPending={thawing.isPending}
      onValues={({ reason = '' }) => thawing.mutate(reason)}
      onClose={onClose}
    >
      <TextArea
        label={PAYOUT.thawReason}
        hint={PAYOUT.thawLead}
        name="reason"
        rows={3}
        required
        maxLength={THAW_REASON_LENGTH}
      />
    </FormDialog>
  )
}
