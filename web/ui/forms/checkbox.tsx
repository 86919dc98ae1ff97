import type { ComponentProps } from 'react'
import { classes } from '../classes.ts'

/** The whole line is the touch target. */
export function Checkbox({ children, className = 'text-sm', ...input }: ComponentProps<'input'>) {
  return (
    <label className={classes('flex min-h-11 cursor-pointer items-start gap-3 py-2', className)}>
      <input {...input} type="checkbox" className="mt-0.5 size-5 shrink-0" />
      <span>{children}</span>
    </label>
  )
}
