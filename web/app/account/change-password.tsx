import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { toast } from 'react-hot-toast/headless'
import { changePassword } from '#contract/accounts/accounts.ts'
import { CHANGE_PASSWORD } from '#messages/profile.js'
import { hasCode, isUnanswered } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import type { FormValues } from '#web/features/forms/form.tsx'
import { DialogForm } from '#web/features/forms/dialog-form.tsx'
import { CurrentAndNewPassword } from '#web/features/forms/password-field.tsx'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { DialogButton } from '#web/ui/dialog.tsx'

export function ChangePassword() {
  return (
    <DialogButton variant="quiet" label={CHANGE_PASSWORD.title}>
      {(close) => <PasswordForm onDone={close} />}
    </DialogButton>
  )
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const queries = useQueryClient()
  /** The current password in the last call that got no answer, which may have replaced it. */
  const unanswered = useRef<string>(undefined)
  const { submit, isPending, errors } = useFormCall({
    send: ({ currentPassword = '', newPassword = '' }: FormValues) =>
      call(changePassword, { body: { currentPassword, newPassword } }),
    onSuccess: ({ message }) => {
      toast.success(message || CHANGE_PASSWORD.done)
      onDone()
      // The new password has ended the other sessions in the profile's list.
      void queries.invalidateQueries()
    },
    fallback: CHANGE_PASSWORD.failed,
    onError: (error, { currentPassword }) => {
      if (isUnanswered(error)) unanswered.current = currentPassword
      if (!hasCode(error, 'current_password_wrong') || currentPassword !== unanswered.current) return false
      toast(CHANGE_PASSWORD.maybeDone)
      return true
    },
  })
  return (
    <DialogForm
      submitLabel={CHANGE_PASSWORD.button}
      cancelLabel={CHANGE_PASSWORD.cancel}
      isPending={isPending}
      onValues={submit}
      onCancel={onDone}
    >
      <CurrentAndNewPassword words={CHANGE_PASSWORD} errors={errors} />
    </DialogForm>
  )
}
