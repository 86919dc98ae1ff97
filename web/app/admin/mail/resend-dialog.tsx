import { useId } from 'react'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { OUTBOX } from '#messages/dashboard-mail.js'
import { Form } from '#web/features/forms/form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { DialogActions } from '#web/ui/forms/dialog-actions.tsx'
import { useResendFailed } from './use-mail.ts'

/** Asks how far back failed emails are to be tried again. */
export function ResendDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const resending = useResendFailed(onClose)
  const id = useId()
  return (
    <Dialog open={open} title={OUTBOX.resendFailed} onClose={onClose}>
      <Form onValues={({ hours = '24' }) => resending.mutate(Number(hours))} className="grid gap-5">
        <p>{OUTBOX.resendFailedLead}</p>
        <span className="grid gap-1.5">
          <label htmlFor={id} className="font-semibold">
            {OUTBOX.within}
          </label>
          <select
            id={id}
            name="hours"
            defaultValue="24"
            className="min-h-12 rounded-sm border border-outline bg-paper px-3 hover:border-ink"
          >
            {Object.entries(OUTBOX.hours).map(([hours, name]) => (
              <option key={hours} value={hours}>
                {name}
              </option>
            ))}
          </select>
        </span>
        <DialogActions
          yes={OUTBOX.resend}
          cancel={DASHBOARD_WORDS.cancel}
          pending={resending.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  )
}
