import { useQueryClient } from '@tanstack/react-query'
import { toast } from 'react-hot-toast/headless'
import { endTwoFactor } from '#contract/accounts/two-factor.ts'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { SECURITY } from '#messages/dashboard-security.js'
import { call } from '#web/features/api/call.ts'
import { Form, type FormValues } from '#web/features/forms/form.tsx'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { DialogActions } from '#web/ui/forms/dialog-actions.tsx'
import { PasswordField } from '#web/features/forms/password-field.tsx'
import { CodeField } from './code-field.tsx'

/** Asks for the password and a code before two-factor login is turned off. */
export function TurnOffDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} title={SECURITY.turnOffTitle} onClose={onClose}>
      <TurnOffForm onClose={onClose} />
    </Dialog>
  )
}

function TurnOffForm({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const { submit, busy, errors } = useFormCall({
    send: ({ password = '', otp = '' }: FormValues) => call(endTwoFactor, { body: { password, otp } }),
    onSuccess: ({ message }) => {
      toast.success(message)
      onClose()
      void queries.invalidateQueries()
    },
    fallback: DASHBOARD_WORDS.notDone,
  })
  return (
    <Form onValues={submit} className="grid gap-5">
      <p>{SECURITY.turnOffLead}</p>
      <PasswordField
        label={SECURITY.password}
        name="password"
        error={errors['password']}
        autoComplete="current-password"
      />
      <CodeField error={errors['otp']} />
      <DialogActions
        yes={SECURITY.turnOff}
        cancel={DASHBOARD_WORDS.cancel}
        pending={busy}
        onCancel={onClose}
      />
    </Form>
  )
}
