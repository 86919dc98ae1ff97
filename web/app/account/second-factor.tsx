import { MAX_TWO_FACTOR_CODE_LENGTH } from '#contract/protocol/fields.ts'
import { FORGOT_PASSWORD } from '#messages/account.js'
import { SECOND_FACTOR } from '#messages/dashboard-security.js'
import { Form } from '#web/features/forms/form.tsx'
import { ROUTES } from '#web/routes.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/forms/field.tsx'
import { AccountPage } from './account-page.tsx'

type SecondFactorProps = {
  isPending: boolean
  error: string | undefined
  onCode: (otp: string) => void
  onBack: () => void
}

/** The same function at each rendering, so that React calls it once. */
const focusAtStart = (input: HTMLInputElement | null) => input?.focus()

/** The step of a login that asks for a code. Loaded on demand, because few accounts need it. */
export default function SecondFactor({ isPending, error, onCode, onBack }: SecondFactorProps) {
  return (
    <AccountPage route={ROUTES.login} title={SECOND_FACTOR.title} lead={SECOND_FACTOR.lead}>
      <Form onValues={({ otp = '' }) => onCode(otp)} className="grid gap-5">
        <Field
          label={SECOND_FACTOR.code}
          hint={SECOND_FACTOR.hint}
          error={error}
          name="otp"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={MAX_TWO_FACTOR_CODE_LENGTH}
          required
          ref={focusAtStart}
        />
        <Button type="submit" isPending={isPending}>
          {SECOND_FACTOR.button}
        </Button>
      </Form>
      <Button variant="quiet" className="mt-4" onClick={onBack}>
        {FORGOT_PASSWORD.backToLogin}
      </Button>
    </AccountPage>
  )
}
