import type { ComponentProps } from 'react'
import { buttonStyle, type ButtonSize, type ButtonVariant } from './button-style.ts'

type ButtonLook = { variant?: ButtonVariant; size?: ButtonSize }

/** A button. `pending` disables it and shows that it is busy. */
export function Button({
  variant,
  size,
  pending = false,
  disabled,
  className,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & ButtonLook & { pending?: boolean }) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled || pending}
      aria-busy={pending || undefined}
      className={buttonStyle(variant, size, className)}
    />
  )
}
