import type { ReactNode } from 'react'
import { classes } from './classes.ts'

export type StampTone = 'ink' | 'accent' | 'proof'

const TONES: Record<StampTone, string> = {
  ink: 'text-ink-soft',
  accent: 'text-accent-text',
  proof: 'text-proof',
}

type StampProps = { tone?: StampTone; className?: string; children: ReactNode }

/** A status as a rubber stamp, always with text, not only color. `proof` marks what is done or in order. */
export function Stamp({ tone = 'ink', className, children }: StampProps) {
  return <span className={classes('stamp', TONES[tone], className)}>{children}</span>
}
