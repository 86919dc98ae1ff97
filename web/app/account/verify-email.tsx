import { useEffect } from 'react'
import { toast } from 'react-hot-toast/headless'
import { navigate } from '#web/features/navigation/location.ts'
import { verifyEmail } from '#contract/accounts/accounts.ts'
import { CODE_WORDS, VERIFY_EMAIL } from '#messages/account.js'
import { call } from '#web/features/api/call.ts'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { readStored, removeStored } from '#web/features/session/storage.ts'
import { ROUTES } from '#web/routes.ts'
import { CodeScreen, useUnansweredCode } from './code-screen.tsx'

/** How long the success can be read before the redirect to the login. */
const REDIRECT_DELAY_MS = 1_500

export default function VerifyEmail() {
  const mayBeAccepted = useUnansweredCode() // By an earlier call, whose answer was lost.
  const form = useFormCall({
    send: (body: { email: string; otp: string }) => call(verifyEmail, { body }),
    onSuccess: (_, { email }) => {
      toast.success(VERIFY_EMAIL.done)
      if (readStored('userEmail') === email) removeStored('userEmail')
    },
    fallback: CODE_WORDS.failed,
    onError: (error, { otp }) => {
      if (!mayBeAccepted(error, otp)) return false
      // If the email is verified, no other code would arrive here. If it is not, the login leads back.
      toast(VERIFY_EMAIL.maybeDone)
      navigate(ROUTES.login.path)
      return true
    },
  })
  useEffect(() => {
    if (!form.isDone) return
    const timer = setTimeout(() => navigate(ROUTES.login.path), REDIRECT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [form.isDone])

  return (
    <CodeScreen
      route={ROUTES.verifyEmail}
      words={VERIFY_EMAIL}
      purpose="verify-email"
      backspace="clear-here"
      emailRoute={ROUTES.register}
      form={form}
    />
  )
}
