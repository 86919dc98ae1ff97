import { OUTBOX } from '#messages/dashboard-mail.js'
import { Select } from '#web/ui/forms/select.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { useResendFailed } from './use-mail.ts'

/** Asks how far back failed emails are to be tried again. */
export function ResendDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const resending = useResendFailed(onClose)
  return (
    <FormDialog
      open={open}
      title={OUTBOX.resendFailed}
      yes={OUTBOX.resend}
      pending={resending.isPending}
      onValues={({ hours = '24' }) => resending.mutate(Number(hours))}
      onClose={onClose}
    >
      <p>{OUTBOX.resendFailedLead}</p>
      <Select label={OUTBOX.within} name="hours" defaultValue="24" choices={OUTBOX.hours} />
    </FormDialog>
  )
}
