import { useState } from 'react'
import { PASSWORD_WORDS } from '#messages/account.js'
import { Field, type FieldProps } from '#web/ui/forms/field.tsx'

/** A required password with a button to show it. Password managers fill in the current one by default. */
export function PasswordField(field: FieldProps) {
  const [isShown, setIsShown] = useState(false)
  return (
    <Field
      spellCheck={false}
      autoCapitalize="none"
      required
      name="password"
      autoComplete="current-password"
      {...field}
      type={isShown ? 'text' : 'password'}
      end={
        <button
          type="button"
          onClick={() => setIsShown(!isShown)}
          className="absolute inset-y-0 end-0 min-w-11 rounded-sm px-3.5 text-sm font-semibold text-ink underline decoration-outline underline-offset-4 hover:decoration-ink"
        >
          {isShown ? PASSWORD_WORDS.hide : PASSWORD_WORDS.show}
          <span className="sr-only"> {PASSWORD_WORDS.password}</span>
        </button>
      }
    />
  )
}

type CurrentAndNewPasswordProps = {
  words: { current: string; new: string; newHint: string }
  errors: Readonly<Record<string, string>>
}

export function CurrentAndNewPassword({ words, errors }: CurrentAndNewPasswordProps) {
  return (
    <>
      <PasswordField label={words.current} name="currentPassword" error={errors['currentPassword']} />
      <PasswordField
        label={words.new}
        hint={words.newHint}
        name="newPassword"
        error={errors['newPassword']}
        autoComplete="new-password"
      />
    </>
  )
}
