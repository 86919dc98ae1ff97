import { useRef, useState } from 'react'
import { toast } from 'react-hot-toast/headless'
import { navigate } from '#web/features/navigation/location.ts'
import { resetPassword } from '#contract/accounts/accounts.ts'
import { RESET_PASSWORD } from '#messages/account.js'
import { ApiError, hasCode, isUnanswered } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { Form, type FormValues } from '#web/features/forms/form.tsx'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { RedirectTo } from '#web/features/session/redirect-to.tsx'
import { readResetPermission, type ResetPermission } from '#web/features/session/reset-token.ts'
import { endFlow } from '#web/features/session/session.ts'
import { ROUTES } from '#web/routes.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/features/forms/password-field.tsx'
import { AccountPage, Aside } from './account-page.tsx'

type ConfirmedReset = ResetPermission & { newPassword: string; confirmPassword: string }

/** “Reset Password”: the last of the three screens of a password reset, for the new password. */
export default function ResetPassword() {
  const [permission, setPermission] = useState(readResetPermission)
  /** Whether a call got no answer. The server may have set the new password, which uses up the token. */
  const mayBeDone = useRef(false)
  const { submit, isPending, errors } = useFormCall({
    send: async ({ confirmPassword, ...body }: ConfirmedReset) => {
      if (confirmPassword !== body.newPassword) throw mismatch()
      return await call(resetPassword, { body })
    },
    onSuccess: () => {
      toast.success(RESET_PASSWORD.done)
      endFlow()
      navigate(ROUTES.login.path)
    },
    fallback: RESET_PASSWORD.failed,
    onError: (error) => {
      if (isUnanswered(error)) mayBeDone.current = true
      if (!hasCode(error, 'reset_token_invalid')) return false
      endFlow()
      if (!mayBeDone.current) return false
      toast(RESET_PASSWORD.maybeDone)
      navigate(ROUTES.login.path)
      return true
    },
  })

  function submitConfirmed({ newPassword = '', confirmPassword = '' }: FormValues) {
    // Read again, because it may have expired or been used in another tab.
    const current = readResetPermission()
    setPermission(current)
    if (!current) return
    submit({ ...current, newPassword, confirmPassword })
  }

  if (!permission) return <RedirectTo to={ROUTES.forgotPassword.path} message={RESET_PASSWORD.missing} />
  return (
    <AccountPage route={ROUTES.resetPassword} title={RESET_PASSWORD.title} lead={RESET_PASSWORD.lead}>
      <Form onValues={submitConfirmed} className="grid gap-5">
        {/* Tells password managers whose password this is. */}
        <input type="text" hidden readOnly autoComplete="username" value={permission.email} />
        <PasswordField
          label={RESET_PASSWORD.newPassword}
          hint={RESET_PASSWORD.newPasswordHint}
          name="newPassword"
          error={errors.newPassword}
          autoComplete="new-password"
        />
        <PasswordField
          label={RESET_PASSWORD.confirmPassword}
          name="confirmPassword"
          error={errors.confirmPassword}
          autoComplete="new-password"
        />
        <Button type="submit" isPending={isPending}>
          {RESET_PASSWORD.button}
        </Button>
      </Form>
      <Aside to={ROUTES.login.path}>{RESET_PASSWORD.backToLogin}</Aside>
    </AccountPage>
  )
}

/** Shown like a refusal by the server: in a toast and at the field, which gets the focus. */
const mismatch = () =>
  new ApiError(0, {
    code: 'invalid_input',
    message: RESET_PASSWORD.mismatch,
    fields: { confirmPassword: RESET_PASSWORD.mismatch },
  })
