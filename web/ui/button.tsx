import type { ComponentProps } from 'react'
import { buttonStyle, type ButtonSize, type ButtonVariant } from './button-style.ts'

type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant
  size?: ButtonSize
  /** While a call is under way: prevents a double submit and marks the button as busy. */
  isPending?: boolean
}

export function Button({ variant, size, isPending = false, disabled, className, ...button }: ButtonProps) {
  return (
    <button
      type="button"
      {...button}
      disabled={disabled || isPending}
      aria-busy={isPending || undefined}
      className={buttonStyle(variant, size, className)}
    />
  )
}
