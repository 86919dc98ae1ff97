import type { ReactNode } from 'react'
import { classes } from './classes.ts'

type IconProps = { children: ReactNode; className?: string }

/** A decorative line drawing on a grid of 24 by 24. */
export function Icon({ children, className }: IconProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={classes('size-5', className)}
    >
      {children}
    </svg>
  )
}
