import { toast } from 'react-hot-toast/headless'
import { navigate } from '#web/features/navigation/location.ts'
import { forgotPassword } from '#contract/accounts/accounts.ts'
import { FORGOT_PASSWORD } from '#messages/account.js'
import { hasCode } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { useProofOfWork } from '#web/features/challenge/proof-of-work.ts'
import { Form, type FormValues } from '#web/features/forms/form.tsx'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { endFlow } from '#web/features/session/session.ts'
import { store } from '#web/features/session/storage.ts'
import { ROUTES } from '#web/routes.ts'
import { Button } from '#web/ui/button.tsx'
import { AccountPage, Aside, EmailField } from './account-page.tsx'

/** “Forgot Password”: the first of the three screens of a password reset, which requests a code. */
export default function ForgotPassword() {
  const { work, progress } = useProofOfWork()
  const { submit, isPending, errors } = useFormCall({
    send: (email: string) => call(forgotPassword, { body: { email } }, work),
    onSuccess: (_, email) => {
      toast.success(FORGOT_PASSWORD.done)
      enterCode(email)
    },
    fallback: FORGOT_PASSWORD.failed,
    onError: (error, email) => {
      // A code has been sent: the answer was lost, or the screen that asks for the code was left.
      if (hasCode(error, 'code_cooldown')) enterCode(email)
      return false // so that the error is shown, too
    },
  })

  function enterCode(email: string) {
    endFlow()
    store('userEmail', email)
    navigate(ROUTES.forgotPasswordOtp.path)
  }

  function requestCode({ email = '' }: FormValues) {
    if (email.trim() === '') toast.error(FORGOT_PASSWORD.emailRequired)
    else submit(email)
  }

  return (
    <AccountPage route={ROUTES.forgotPassword} title={FORGOT_PASSWORD.title} lead={FORGOT_PASSWORD.lead}>
      <Form onValues={requestCode} progress={progress} className="grid gap-5">
        <EmailField label={FORGOT_PASSWORD.email} error={errors.email} />
        <Button type="submit" isPending={isPending}>
          {FORGOT_PASSWORD.button}
        </Button>
      </Form>
      <Aside to={ROUTES.login.path}>{FORGOT_PASSWORD.backToLogin}</Aside>
    </AccountPage>
  )
}
