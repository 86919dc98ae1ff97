import { toast } from 'react-hot-toast/headless'
import { navigate } from '#web/features/navigation/location.ts'
import { verifyOtp } from '#contract/accounts/accounts.ts'
import { CODE_WORDS, VERIFY_OTP } from '#messages/account.js'
import { call } from '#web/features/api/call.ts'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { storeResetToken } from '#web/features/session/reset-token.ts'
import { store } from '#web/features/session/storage.ts'
import { ROUTES } from '#web/routes.ts'
import { CodeScreen, useUnansweredCode } from './code-screen.tsx'

/**
 * “Verify OTP”: the second of the three screens of a password reset, for the code. Keeps what `verify-otp`
 * returns, the reset token, for the third.
 */
export default function ForgotPasswordOtp() {
  const mayBeAccepted = useUnansweredCode()
  const form = useFormCall({
    send: (body: { email: string; otp: string }) => call(verifyOtp, { body }),
    onSuccess: ({ message, resetPasswordToken }, { email }) => {
      toast.success(message || VERIFY_OTP.done)
      // The token is for this email. Another tab may have stored a different one.
      store('userEmail', email)
      storeResetToken(resetPasswordToken)
      navigate(ROUTES.resetPassword.path)
    },
    fallback: CODE_WORDS.failed,
    onError: (error, { otp }) => {
      if (!mayBeAccepted(error, otp)) return false
      toast(VERIFY_OTP.maybeDone)
      return true
    },
  })
  return (
    <CodeScreen
      route={ROUTES.forgotPasswordOtp}
      words={VERIFY_OTP}
      purpose="reset-password"
      backspace="step-back"
      emailRoute={ROUTES.forgotPassword}
      form={form}
    />
  )
}
