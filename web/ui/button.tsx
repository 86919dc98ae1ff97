import type { ComponentProps } from 'react'
import { buttonStyle, type ButtonSize, type ButtonVariant } from './button-style.ts'

type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant
  size?: ButtonSize
  /** Set during a call. The button is then busy and ignores clicks, but keeps the focus. */
  isPending?: boolean
}

export function Button({ variant, size, isPending = false, onClick, className, ...button }: ButtonProps) {
  return (
    <button
      type="button"
      {...button}
      // Not `disabled`, which would take the focus away. Enter in a field also clicks the submit button.
      onClick={isPending ? (event) => event.preventDefault() : onClick}
      aria-disabled={isPending || undefined}
      aria-busy={isPending || undefined}
      className={buttonStyle(variant, size, className)}
    />
  )
}
