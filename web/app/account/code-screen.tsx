import { type ComponentType, useEffect, useRef, useState } from 'react'
import type { CodePurpose } from '#contract/accounts/accounts.ts'
import { CODE_WORDS } from '#messages/account.js'
import { hasCode, isUnanswered } from '#web/features/api/api-error.ts'
import { useProofOfWork } from '#web/features/challenge/proof-of-work.ts'
import { ResendCode } from '#web/features/code/resend-code.tsx'
import { Form } from '#web/features/forms/form.tsx'
import { RedirectTo } from '#web/features/session/redirect-to.tsx'
import { readStored } from '#web/features/session/storage.ts'
import type { Route } from '#web/routes.ts'
import { Button } from '#web/ui/button.tsx'
import { type BackspaceBehavior, EMPTY } from '#web/ui/forms/code-digits.ts'
import { CodeEntry } from '#web/ui/forms/code-entry.tsx'
import { RichText } from '#web/ui/text/rich-text.tsx'
import { ScreenLink } from '../screen-link.tsx'
import { AccountPage } from './account-page.tsx'

type CodeScreenProps = {
  route: Route
  words: { title: string; button: string }
  purpose: CodePurpose
  backspace: BackspaceBehavior
  /** The screen that asks for the email, opened again if the email is mistyped or missing. */
  emailRoute: Route
  form: {
    isPending: boolean
    errors: Readonly<Record<string, string>>
    /** Gets the joined digits, which may be incomplete: the server validates them. */
    submit: (values: { email: string; otp: string }) => void
  }
}

/** The screen that asks for a code, to verify an email or to reset a password. */
export function CodeScreen({ route, words, purpose, backspace, emailRoute, form }: CodeScreenProps) {
  const { email, readEmail } = useFlowEmail()
  const [digits, setDigits] = useState(EMPTY)
  const { work, progress } = useProofOfWork()

  function submit() {
    const currentEmail = readEmail()
    if (currentEmail !== null) form.submit({ email: currentEmail, otp: digits.join('') })
  }

  if (email === null) return <RedirectTo to={emailRoute.path} message={CODE_WORDS.missingEmail} />
  return (
    <AccountPage route={route} title={words.title} lead={<SentTo email={email} />}>
      <Form onValues={submit} progress={progress} className="grid gap-6">
        <CodeEntry
          legend={CODE_WORDS.legend}
          boxLabel={CODE_WORDS.digit}
          digits={digits}
          onDigits={setDigits}
          backspace={backspace}
          error={form.errors['otp']}
        />
        <Button type="submit" isPending={form.isPending}>
          {words.button}
        </Button>
      </Form>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-x-4">
        <ResendCode purpose={purpose} readEmail={readEmail} work={work} />
        <ScreenLink href={emailRoute.path} className="standalone-link min-w-11">
          {CODE_WORDS.wrongEmail}
        </ScreenLink>
      </div>
      <LazyDelivery />
    </AccountPage>
  )
}

/**
 * The stored email of the current flow (verification or reset); null if there is none. If another tab stores
 * a different one, this screen keeps the first. If none is stored any more, `readEmail` makes it redirect.
 */
function useFlowEmail() {
  const [email, setEmail] = useState(() => readStored('userEmail'))
  function readEmail(): string | null {
    if (readStored('userEmail') !== null) return email
    setEmail(null)
    return null
  }
  return { email, readEmail }
}

function SentTo({ email }: { email: string }) {
  const address = (
    // Plain text, so that the sentence's period stays with the address. The component `EmailText` could break
    // after the @ even if the whole address fit on the next line.
    <strong className="font-semibold wrap-anywhere text-ink">
      <bdi dir="ltr">{email}</bdi>
    </strong>
  )
  return <RichText text={CODE_WORDS.sentTo({ email })} tags={{ email: address }} />
}

/**
 * Tells whether the server may have accepted a refused code before, in a call whose answer was lost.
 * @returns a function that tells it, to call with every error and the code that was entered.
 */
export function useUnansweredCode(): (error: unknown, otp: string) => boolean {
  const unanswered = useRef<string>(undefined)
  return (error, otp) => {
    if (isUnanswered(error)) unanswered.current = otp
    return hasCode(error, 'code_invalid') && otp === unanswered.current
  }
}

/** Says whether emails are delayed. Loaded after the form, which works without it. */
function LazyDelivery() {
  const [Delivery, setDelivery] = useState<ComponentType>()
  useEffect(() => {
    import('#web/features/code/delivery.tsx').then(
      ({ default: loaded }) => setDelivery(() => loaded),
      (error: unknown) => console.error('The state of delivery failed to load', error),
    )
  }, [])
  return Delivery && <Delivery />
}
