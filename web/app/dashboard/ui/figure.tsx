import type { ReactNode } from 'react'
import { classes } from '#web/ui/classes.ts'

export function Figures({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-hairline bg-hairline max-[15rem]:grid-cols-1 lg:grid-cols-4">
      {children}
    </dl>
  )
}

type FigureProps = { label: string; needsAttention?: boolean; children: ReactNode }

export function Figure({ label, needsAttention = false, children }: FigureProps) {
  return (
    <div className="grid content-start gap-1 bg-paper p-4">
      <dt className="text-sm wrap-anywhere text-ink-soft">{label}</dt>
      <dd
        className={classes(
          'figures text-lg font-semibold text-balance wrap-anywhere sm:text-xl',
          needsAttention && 'text-accent-text',
        )}
      >
        {children}
      </dd>
    </div>
  )
}
