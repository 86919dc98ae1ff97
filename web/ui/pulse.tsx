import { classes } from './classes.ts'

const PLACE = { start: 'pulse-start', middle: 'pulse-middle', end: 'pulse-end' }

/** A line across its box with one beat, at its start, middle or end. The line beats with each new block. */
export function Pulse({ beatAt = 'start', className }: { beatAt?: keyof typeof PLACE; className?: string }) {
  return (
    <div aria-hidden="true" className={classes('pulse', PLACE[beatAt], className)}>
      <svg viewBox="0 0 120 48" fill="none" stroke="currentColor" strokeWidth="2" strokeLinejoin="round">
        <path d="M0 36H34l6-9 6 9h7l9-32 10 40 8-22 5 14h35" />
      </svg>
    </div>
  )
}
