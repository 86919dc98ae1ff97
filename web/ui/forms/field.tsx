import { useId, type ComponentProps, type ReactNode } from 'react'
import { classes } from '../classes.ts'
import { pastePlain } from './paste-plain.ts'

export type FieldProps = ComponentProps<'input'> & {
  label: string
  hint?: ReactNode
  /** Why the value was refused. Linked to the field for screen readers. */
  error?: string | undefined
  /** At the end of the input, such as a button that shows the password. */
  end?: ReactNode
}

export function Field({ label, hint, error, end, id, className, ...input }: FieldProps) {
  const ownId = useId()
  const inputId = id ?? ownId
  const hintId = `${inputId}-hint`
  const errorId = `${inputId}-error`
  return (
    <div className={classes('grid grid-cols-1 content-start gap-1.5', className)}>
      <label htmlFor={inputId} className="font-semibold">
        {label}
      </label>
      <div className="relative">
        <input
          {...input}
          id={inputId}
          // Otherwise the browser would refuse an address with an invisible character.
          onPaste={input.type === 'email' || input.type === 'url' ? pastePlain : input.onPaste}
          aria-invalid={error ? true : undefined}
          aria-describedby={classes(hint ? hintId : null, error && errorId) || undefined}
          className={classes(BOX, error ? 'border-accent-text' : 'border-outline', end ? 'pe-20' : null)}
        />
        {end}
      </div>
      {hint && (
        <p id={hintId} className="text-sm text-ink-soft">
          {hint}
        </p>
      )}
      <FieldError id={errorId} error={error} />
    </div>
  )
}

type FieldErrorProps = { id: string; error: string | undefined; className?: string }

/** Why a value was refused. The field refers to it by `id`. */
export function FieldError({ id, error, className }: FieldErrorProps) {
  if (!error) return null
  return (
    <p id={id} className={classes('text-sm font-semibold text-accent-text', className)}>
      {error}
    </p>
  )
}

const BOX =
  'min-h-12 w-full rounded-sm border bg-paper px-3.5 py-2.5 text-base text-ink ' +
  'placeholder:text-sm placeholder:text-ink-soft hover:border-ink'
