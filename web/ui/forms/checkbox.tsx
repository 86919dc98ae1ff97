import type { ComponentProps } from 'react'

/** A checkbox with its label; the whole line is the touch target. */
export function Checkbox({ children, ...input }: ComponentProps<'input'> & { name: string }) {
  return (
    <label className="flex min-h-11 cursor-pointer items-start gap-3 py-2 text-sm">
      <input {...input} type="checkbox" className="mt-0.5 size-5 shrink-0" />
      <span>{children}</span>
    </label>
  )
}
