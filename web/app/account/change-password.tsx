import { useState } from 'react'
import { toast } from 'react-hot-toast/headless'
import { changePassword } from '#contract/accounts/accounts.ts'
import { CHANGE_PASSWORD } from '#messages/profile.js'
import { call } from '#web/features/api/call.ts'
import { Form, type FormValues } from '#web/features/forms/form.tsx'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { DialogActions } from '#web/ui/forms/dialog-actions.tsx'
import { PasswordField } from '#web/features/forms/password-field.tsx'

/** A button that opens the dialog for a new password. */
export function ChangePassword() {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        {CHANGE_PASSWORD.title}
      </Button>
      <Dialog open={open} title={CHANGE_PASSWORD.title} onClose={close}>
        <PasswordForm onDone={close} />
      </Dialog>
    </>
  )
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const { submit, busy, errors } = useFormCall({
    send: ({ currentPassword = '', newPassword = '' }: FormValues) =>
      call(changePassword, { body: { currentPassword, newPassword } }),
    onSuccess: ({ message }) => {
      toast.success(message || CHANGE_PASSWORD.done)
      onDone()
    },
    fallback: CHANGE_PASSWORD.failed,
  })
  return (
    <Form onValues={submit} className="grid gap-5">
      <PasswordField
        label={CHANGE_PASSWORD.current}
        name="currentPassword"
        error={errors.currentPassword}
        autoComplete="current-password"
      />
      <PasswordField
        label={CHANGE_PASSWORD.new}
        hint={CHANGE_PASSWORD.newHint}
        name="newPassword"
        error={errors.newPassword}
        autoComplete="new-password"
      />
      <DialogActions
        yes={CHANGE_PASSWORD.button}
        cancel={CHANGE_PASSWORD.cancel}
        pending={busy}
        onCancel={onDone}
      />
    </Form>
  )
}
