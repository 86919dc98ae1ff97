import { SECURITY } from '#messages/dashboard-security.js'
import { Field } from '#web/ui/forms/field.tsx'

/** Takes a code of the authenticator or a recovery code; the form gets it as `otp`. */
export function CodeField({ error }: { error: string | undefined }) {
  return (
    <Field
      label={SECURITY.anyCode}
      error={error}
      name="otp"
      autoComplete="one-time-code"
      maxLength={40}
      required
    />
  )
}
