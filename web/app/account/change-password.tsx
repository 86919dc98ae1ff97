import { useQueryClient } from '@tanstack/react-query'
import { toast } from 'react-hot-toast/headless'
import { changePassword } from '#contract/accounts/accounts.ts'
import { CHANGE_PASSWORD } from '#messages/profile.js'
import { call } from '#web/features/api/call.ts'
import type { FormValues } from '#web/features/forms/form.tsx'
import { DialogForm } from '#web/features/forms/dialog-form.tsx'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { DialogButton } from '#web/ui/dialog.tsx'
import { PasswordField } from '#web/features/forms/password-field.tsx'

/** A button that opens the dialog for a new password. */
export function ChangePassword() {
  return (
    <DialogButton variant="quiet" label={CHANGE_PASSWORD.title}>
      {(close) => <PasswordForm onDone={close} />}
    </DialogButton>
  )
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const queries = useQueryClient()
  const { submit, isPending, errors } = useFormCall({
    send: ({ currentPassword = '', newPassword = '' }: FormValues) =>
      call(changePassword, { body: { currentPassword, newPassword } }),
    onSuccess: ({ message }) => {
      toast.success(message || CHANGE_PASSWORD.done)
      onDone()
      // It has ended all other sessions, which the profile lists.
      void queries.invalidateQueries()
    },
    fallback: CHANGE_PASSWORD.failed,
  })
  return (
    <DialogForm
      yes={CHANGE_PASSWORD.button}
      cancel={CHANGE_PASSWORD.cancel}
      isPending={isPending}
      onValues={submit}
      onCancel={onDone}
    >
      <CurrentAndNewPassword words={CHANGE_PASSWORD} errors={errors} />
    </DialogForm>
  )
}

type CurrentAndNewPasswordProps = {
  words: { current: string; new: string; newHint: string }
  errors: Readonly<Record<string, string>>
}

/** The fields `currentPassword` and `newPassword`. */
export function CurrentAndNewPassword({ words, errors }: CurrentAndNewPasswordProps) {
  return (
    <>
      <PasswordField label={words.current} name="currentPassword" error={errors['currentPassword']} />
      <PasswordField
        label={words.new}
        hint={words.newHint}
        name="newPassword"
        error={errors['newPassword']}
        autoComplete="new-password"
      />
    </>
  )
}
