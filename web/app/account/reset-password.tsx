import { useState } from 'react'
import { toast } from 'react-hot-toast/headless'
import { useNavigate } from 'react-router'
import { resetPassword } from '#contract/accounts.ts'
import { PASSWORD_WORDS, RESET_PASSWORD } from '#web/content/account.ts'
import { call } from '#web/features/api/call.ts'
import { Form } from '#web/features/forms/form.tsx'
import type { Typed } from '#web/features/forms/form.tsx'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { SendBack } from '#web/features/session/send-back.tsx'
import { forget, stored } from '#web/features/session/storage.ts'
import { ROUTES } from '#web/routes.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { AccountPage, Aside } from './account-page.tsx'

type Permission = { email: string; resetPasswordToken: string }

export default function ResetPassword() {
  const navigate = useNavigate()
  const [permission, setPermission] = useState(keptPermission)
  const { submit, busy, errors } = useFormCall({
    send: (body: Permission & { newPassword: string }) => call(resetPassword, { body }),
    done: () => {
      toast.success(RESET_PASSWORD.done)
      forget('resetPasswordToken', 'userEmail')
      void navigate(ROUTES.login.path)
    },
    fallback: RESET_PASSWORD.failed,
  })

  function change({ newPassword = '', confirmPassword = '' }: Typed) {
    const now = keptPermission()
    setPermission(now)
    if (!now) return
    if (newPassword !== confirmPassword) toast.error(RESET_PASSWORD.mismatch)
    else submit({ ...now, newPassword })
  }

  if (!permission) return <SendBack to={ROUTES.forgotPassword.path} message={RESET_PASSWORD.missing} />
  return (
    <AccountPage route={ROUTES.resetPassword} title={RESET_PASSWORD.title} lead={RESET_PASSWORD.lead}>
      <Form onTyped={change} className="grid gap-5">
        {/* Tells a password manager whose password this is. */}
        <input type="text" hidden readOnly autoComplete="username" value={permission.email} />
        <PasswordField
          words={PASSWORD_WORDS}
          label={RESET_PASSWORD.newPassword}
          hint={RESET_PASSWORD.newPasswordHint}
          name="newPassword"
          error={errors.newPassword}
          autoComplete="new-password"
          required
        />
        <PasswordField
          words={PASSWORD_WORDS}
          label={RESET_PASSWORD.confirmPassword}
          name="confirmPassword"
          autoComplete="new-password"
          required
        />
        <Button type="submit" pending={busy}>
          {RESET_PASSWORD.button}
        </Button>
      </Form>
      <Aside to={ROUTES.login.path}>{RESET_PASSWORD.backToLogin}</Aside>
    </AccountPage>
  )
}

function keptPermission(): Permission | null {
  const email = stored('userEmail')
  const resetPasswordToken = stored('resetPasswordToken')
  return email && resetPasswordToken ? { email, resetPasswordToken } : null
}
