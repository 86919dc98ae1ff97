import { useState } from 'react'
import { PASSWORD_WORDS } from '#messages/account.js'
import { Field, type FieldProps } from '#web/ui/forms/field.tsx'

/** A required password with a button to show it; the current one unless `autoComplete` says that it is new. */
export function PasswordField(field: FieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <Field
      spellCheck={false}
      autoCapitalize="none"
      required
      name="password"
      autoComplete="current-password"
      {...field}
      type={shown ? 'text' : 'password'}
      end={
        <button
          type="button"
          onClick={() => setShown(!shown)}
          className="absolute inset-y-0 end-0 min-w-11 rounded-sm px-3.5 text-sm font-semibold text-ink underline decoration-outline underline-offset-4 hover:decoration-ink"
        >
          {shown ? PASSWORD_WORDS.hide : PASSWORD_WORDS.show}
          <span className="sr-only"> {PASSWORD_WORDS.password}</span>
        </button>
      }
    />
  )
}
