import { useEffect } from 'react'
import { toast } from 'react-hot-toast/headless'
import { navigate } from '#web/features/navigation/location.ts'
import { verifyEmail } from '#contract/accounts/accounts.ts'
import { CODE_WORDS, VERIFY_EMAIL } from '#messages/account.js'
import { call } from '#web/features/api/call.ts'
import { CodeForm } from '#web/features/code/code-form.tsx'
import { useFlowEmail } from '#web/features/code/flow-email.ts'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { RedirectTo } from '#web/features/session/redirect-to.tsx'
import { removeStored } from '#web/features/session/storage.ts'
import { ROUTES } from '#web/routes.ts'
import { AccountPage, SentTo, WrongEmail } from './account-page.tsx'

/** Delay before the redirect to the login screen. */
const PAUSE_MS = 1500

export default function VerifyEmail() {
  const { email, current } = useFlowEmail()
  const { submit, busy, isDone, errors } = useFormCall({
    send: (body: { email: string; otp: string }) => call(verifyEmail, { body }),
    onSuccess: () => {
      toast.success(VERIFY_EMAIL.done)
      removeStored('userEmail')
    },
    fallback: CODE_WORDS.failed,
  })

  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => navigate(ROUTES.login.path), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [isDone])

  if (email === null) return <RedirectTo to={ROUTES.register.path} message={CODE_WORDS.missingEmail} />
  return (
    <AccountPage route={ROUTES.verifyEmail} title={VERIFY_EMAIL.title} lead={<SentTo email={email} />}>
      <CodeForm
        purpose="verify-email"
        backspace="clear-here"
        button={VERIFY_EMAIL.button}
        busy={busy}
        error={errors.otp}
        current={current}
        onCode={(to, otp) => submit({ email: to, otp })}
        backLink={<WrongEmail to={ROUTES.register.path} />}
      />
    </AccountPage>
  )
}
