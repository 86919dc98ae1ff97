import type { ComponentProps } from 'react'
import { buttonStyle, type ButtonSize, type ButtonVariant } from './button-style.ts'

type ButtonLook = { variant?: ButtonVariant; size?: ButtonSize }

/** A button. While a call is pending, `isPending` disables it, against a double submit, and shows that it is busy. */
export function Button({
  variant,
  size,
  isPending = false,
  disabled,
  className,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & ButtonLook & { isPending?: boolean }) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled || isPending}
      aria-busy={isPending || undefined}
      className={buttonStyle(variant, size, className)}
    />
  )
}
