import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { toast } from 'react-hot-toast/headless'
import { type CodePurpose, resendCode } from '#contract/accounts/accounts.ts'
import { CODE_WORDS } from '#messages/account.js'
import { ApiError, isAbandoned, messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import type { ProofOfWork } from '#web/features/challenge/proof-of-work.ts'
import { Button } from '#web/ui/button.tsx'

/** The minimum that the server leaves between two codes for an email. A refusal may ask for more. */
const COOLDOWN_SECONDS = 60

type ResendCodeProps = {
  purpose: CodePurpose
  /** Null once the flow (verifying an email or resetting a password) has ended. */
  readEmail: () => string | null
  work: ProofOfWork
}

/** Requests another code, to verify an email or to reset a password. Counts down to the next one. */
export function ResendCode({ purpose, readEmail, work }: ResendCodeProps) {
  const { secondsLeft, startCountdown } = useResendCountdown()
  const resend = useMutation({
    mutationFn: (email: string) => call(resendCode, { body: { email, purpose } }, work),
    onSuccess: () => {
      toast.success(CODE_WORDS.resent)
      startCountdown(COOLDOWN_SECONDS)
    },
    onError: (error) => {
      if (isAbandoned(error)) return
      toast.error(messageOf(error, CODE_WORDS.resendFailed))
      if (error instanceof ApiError && error.status === 429)
        startCountdown(error.retryAfterSeconds ?? COOLDOWN_SECONDS)
    },
  })

  function requestCode() {
    const email = readEmail()
    if (email !== null) resend.mutate(email)
  }

  return (
    <Button variant="quiet" isPending={resend.isPending} disabled={secondsLeft > 0} onClick={requestCode}>
      {labelOf(resend.isPending, secondsLeft)}
    </Button>
  )
}

function labelOf(isPending: boolean, seconds: number): string {
  if (isPending) return CODE_WORDS.resending
  return seconds > 0 ? CODE_WORDS.resendIn({ seconds }) : CODE_WORDS.resend
}

/** Less than a second, so that a late timer does not skip one. */
const TICK_MS = 250

/** Counts down by `performance.now()`, which throttled tabs and changes of the clock do not distort. */
function useResendCountdown() {
  const [endsAt, setEndsAt] = useState(0)
  const [secondsLeft, setSecondsLeft] = useState(0)

  useEffect(() => {
    if (secondsLeft === 0) return
    const timer = setInterval(() => setSecondsLeft(secondsUntil(endsAt)), TICK_MS)
    return () => clearInterval(timer)
  }, [endsAt, secondsLeft])

  function startCountdown(seconds: number) {
    setEndsAt(performance.now() + seconds * 1_000)
    setSecondsLeft(seconds)
  }

  return { secondsLeft, startCountdown }
}

const secondsUntil = (moment: number) => Math.max(0, Math.ceil((moment - performance.now()) / 1_000))
