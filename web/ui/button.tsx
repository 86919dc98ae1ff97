import type { ComponentProps } from 'react'
import { buttonStyle, type ButtonSize, type ButtonVariant } from './button-style.ts'

type ButtonLook = { variant?: ButtonVariant; size?: ButtonSize }

/** A button. `isPending`, while a call is under way, prevents a double submit and marks it as busy. */
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
