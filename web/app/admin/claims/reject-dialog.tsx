import { useId } from 'react'
import { FINAL_REASONS, RejectionReason } from '#contract/claims/claim-history.ts'
import { REASON_LENGTH } from '#contract/dashboard/review.ts'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { DECIDE } from '#messages/dashboard-review.js'
import { Form, type FormValues } from '#web/features/forms/form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { DialogActions } from '#web/ui/forms/dialog-actions.tsx'
import { TextArea } from '#web/ui/forms/text-area.tsx'
import type { Reason } from './use-decisions.ts'

type RejectDialogProps = {
  /** Description of what is rejected; null while the dialog is closed. */
  target: string | null
  /** Whether a whole cluster is rejected, which allows final reasons only. */
  isCluster: boolean
  pending: boolean
  onReason: (reason: Reason) => void
  onClose: () => void
}

/** Asks for the reason shown to the participant. */
export function RejectDialog({ target, isCluster, pending, onReason, onClose }: RejectDialogProps) {
  const id = useId()
  const submit = ({ reason, text = '' }: FormValues) =>
    onReason({ reason: RejectionReason.parse(reason), text: text.trim() })
  return (
    <Dialog open={target !== null} title={DECIDE.rejectTitle({ who: target ?? '' })} onClose={onClose}>
      <Form onValues={submit} className="grid gap-5">
        {isCluster && <p>{DECIDE.clusterHint}</p>}
        <div className="grid gap-1.5">
          <label htmlFor={id} className="font-semibold">
            {DECIDE.reason}
          </label>
          <select
            id={id}
            name="reason"
            className="min-h-12 rounded-sm border border-outline bg-paper px-3 text-base hover:border-ink"
          >
            {(isCluster ? FINAL_REASONS : RejectionReason.options).map((code) => (
              <option key={code} value={code}>
                {DECIDE.reasons[code]}
              </option>
            ))}
          </select>
        </div>
        <TextArea
          label={DECIDE.text}
          hint={isCluster ? DECIDE.textHintFinal : DECIDE.textHint}
          name="text"
          rows={4}
          maxLength={REASON_LENGTH}
        />
        <DialogActions
          yes={DECIDE.reject}
          cancel={DASHBOARD_WORDS.cancel}
          pending={pending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  )
}
