import { useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { CODE_WORDS } from '#messages/account.js'
import { Form } from '#web/features/forms/form.tsx'
import { Button } from '#web/ui/button.tsx'
import { type BackspaceBehavior, EMPTY } from '#web/ui/forms/code-digits.ts'
import { CodeEntry } from '#web/ui/forms/code-entry.tsx'
import { ResendCode, type CodePurpose } from './resend-code.tsx'

type CodeFormProps = {
  purpose: CodePurpose
  backspace: BackspaceBehavior
  button: string
  busy: boolean
  error: string | undefined
  /** Returns the email that the code was sent to, or null once the flow has ended. */
  current: () => string | null
  /** Receives the joined digits, possibly incomplete: the server validates them. */
  onCode: (email: string, otp: string) => void
  backLink: ReactNode
}

/** The form shared by both code screens: input, submit, resend, and a link back. */
export function CodeForm({
  purpose,
  backspace,
  button,
  busy,
  error,
  current,
  onCode,
  backLink,
}: CodeFormProps) {
  const [digits, setDigits] = useState(EMPTY)

  function submit() {
    const email = current()
    if (email !== null) onCode(email, digits.join(''))
  }

  return (
    <>
      <Form onValues={submit} className="grid gap-6">
        <CodeEntry
          legend={CODE_WORDS.legend}
          nameOf={CODE_WORDS.digit}
          digits={digits}
          onDigits={setDigits}
          backspace={backspace}
          error={error}
        />
        <Button type="submit" pending={busy}>
          {button}
        </Button>
      </Form>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-x-4">
        <ResendCode purpose={purpose} current={current} />
        {backLink}
      </div>
      <DeliveryLater />
    </>
  )
}

/** The state of email delivery. Loads after the form, which works without it. */
function DeliveryLater() {
  const [Delivery, setDelivery] = useState<ComponentType>()
  useEffect(() => {
    import('./delivery.tsx').then(
      ({ default: loaded }) => setDelivery(() => loaded),
      (error: unknown) => console.error('The state of delivery failed to load', error),
    )
  }, [])
  return Delivery && <Delivery />
}
