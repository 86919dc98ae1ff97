import type { Payout } from '#contract/dashboard/payouts.ts'
import { THAW_REASON_LENGTH } from '#contract/dashboard/payouts.ts'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { PAYOUT } from '#messages/dashboard-payout.js'
import { Form } from '#web/features/forms/form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { DialogActions } from '#web/ui/forms/dialog-actions.tsx'
import { TextArea } from '#web/ui/forms/text-area.tsx'
import { useFreeze, useThaw } from './use-payout.ts'

type DialogProps = { open: boolean; onClose: () => void }

type FreezeDialogProps = DialogProps & { plan: NonNullable<Payout['plan']>; isPlaceholder: boolean }

/** Asks before freezing; a made-up contract has to be accepted, and claims that wait have to be left out knowingly. */
export function FreezeDialog({ plan, isPlaceholder, open, onClose }: FreezeDialogProps) {
  const freezing = useFreeze(onClose)
  return (
    <Dialog open={open} title={PAYOUT.freezeTitle} onClose={onClose}>
      <Form onValues={() => freezing.mutate(plan.undecided)} className="grid gap-5">
        <p>{PAYOUT.freezeLead({ count: plan.approved })}</p>
        {isPlaceholder && <Accepted text={PAYOUT.freezePlaceholder} />}
        {plan.undecided > 0 && <Accepted text={PAYOUT.freezeAnyway({ count: plan.undecided })} />}
        <DialogActions
          yes={PAYOUT.freezeNow}
          cancel={DASHBOARD_WORDS.cancel}
          pending={freezing.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  )
}

/** What has to be checked before the freeze. */
function Accepted({ text }: { text: string }) {
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
    <Dialog open={open} title={PAYOUT.thawTitle} onClose={onClose}>
      <Form onValues={({ reason = '' }) => thawing.mutate(reason)} className="grid gap-5">
        <TextArea
          label={PAYOUT.thawReason}
          hint={PAYOUT.thawLead}
          name="reason"
          rows={3}
          required
          maxLength={THAW_REASON_LENGTH}
        />
        <DialogActions
          yes={PAYOUT.thawNow}
          cancel={DASHBOARD_WORDS.cancel}
          pending={thawing.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  )
}
