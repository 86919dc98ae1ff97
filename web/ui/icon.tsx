import type { ComponentProps } from 'react'
import { classes } from './classes.ts'

/** Decorative, and so hidden from screen readers. */
export function LineDrawing(svg: ComponentProps<'svg'>) {
  return <svg aria-hidden="true" fill="none" strokeLinecap="round" strokeLinejoin="round" {...svg} />
}

/** One path on a grid of 24 by 24, in the color of the text. */
export function Icon({ path, className }: { path: string; className?: string }) {
  return (
    <LineDrawing
      viewBox="0 0 24 24"
      stroke="currentColor"
      strokeWidth="2"
      className={classes('size-5', className)}
    >
      <path d={path} />
    </LineDrawing>
  )
}
