import { toast } from 'react-hot-toast/headless'
import { navigate } from '#web/features/navigation/location.ts'
import { verifyOtp } from '#contract/accounts/accounts.ts'
import { CODE_WORDS, VERIFY_OTP } from '#messages/account.js'
import { call } from '#web/features/api/call.ts'
import { CodeForm } from '#web/features/code/code-form.tsx'
import { useFlowEmail } from '#web/features/code/flow-email.ts'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { RedirectTo } from '#web/features/session/redirect-to.tsx'
import { storeResetToken } from '#web/features/session/reset-token.ts'
import { ROUTES } from '#web/routes.ts'
import { AccountPage, SentTo, WrongEmail } from './account-page.tsx'

/** The screen for the code of a password reset, the second of three. */
export default function ForgotPasswordOtp() {
  const { email, current } = useFlowEmail()
  const { submit, busy, errors } = useFormCall({
    send: (body: { email: string; otp: string }) => call(verifyOtp, { body }),
    onSuccess: ({ message, resetPasswordToken }) => {
      toast.success(message || VERIFY_OTP.done)
      storeResetToken(resetPasswordToken)
      navigate(ROUTES.resetPassword.path)
    },
    fallback: CODE_WORDS.failed,
  })

  if (email === null) return <RedirectTo to={ROUTES.forgotPassword.path} message={CODE_WORDS.missingEmail} />
  return (
    <AccountPage route={ROUTES.forgotPasswordOtp} title={VERIFY_OTP.title} lead={<SentTo email={email} />}>
      <CodeForm
        purpose="reset-password"
        backspace="step-back"
        button={VERIFY_OTP.button}
        busy={busy}
        error={errors.otp}
        current={current}
        onCode={(to, otp) => submit({ email: to, otp })}
        backLink={<WrongEmail to={ROUTES.forgotPassword.path} />}
      />
    </AccountPage>
  )
}
