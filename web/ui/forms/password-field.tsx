import { useState } from 'react'
import { Field, type FieldProps } from './field.tsx'

export type PasswordWords = { show: string; hide: string; password: string }

/** A password input with a button to show it. Texts are passed in: components in ui/ contain none. */
export function PasswordField({ words, ...field }: FieldProps & { words: PasswordWords }) {
  const [shown, setShown] = useState(false)
  return (
    <Field
      spellCheck={false}
      autoCapitalize="none"
      {...field}
      type={shown ? 'text' : 'password'}
      end={
        <button
          type="button"
          onClick={() => setShown(!shown)}
          className="absolute inset-y-0 end-0 min-w-11 rounded-sm px-3.5 text-sm font-semibold text-ink underline decoration-outline underline-offset-4 hover:decoration-ink"
        >
          {shown ? words.hide : words.show}
          <span className="sr-only"> {words.password}</span>
        </button>
      }
    />
  )
}
