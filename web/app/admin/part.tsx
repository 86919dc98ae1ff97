import { Children, type ReactNode } from 'react'
import { classes } from '#web/ui/classes.ts'

/** A part of a section with its heading. */
export function Part({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b-2 border-ink pb-2">
        <h2 className="text-xl">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

/** Large figures with their labels. */
export function Figures({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-hairline bg-hairline lg:grid-cols-4">
      {children}
    </dl>
  )
}

type FigureProps = { label: string; needsAttention?: boolean; children: ReactNode }

/** A figure with its label, in the accent color if it asks for attention. */
export function Figure({ label, needsAttention = false, children }: FigureProps) {
  return (
    <div className="grid content-start gap-1 bg-paper p-4">
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd
        className={classes(
          'figures text-lg font-semibold text-balance break-words sm:text-xl',
          needsAttention && 'text-accent-text',
        )}
      >
        {children}
      </dd>
    </div>
  )
}

/** Short facts in a line, with a dot between two of them; where the line breaks there is none. */
export function DottedLine({ children }: { children: ReactNode }) {
  return (
    <p className="flex flex-wrap gap-x-4 overflow-x-clip text-ink-soft">
      {Children.toArray(children).map((fact, index) => (
        // The dot stands before its fact: at the start of a line it is outside the box, which clips it.
        <span
          key={index}
          className="relative before:absolute before:end-full before:w-4 before:text-center before:content-['·'/'']"
        >
          {fact}
        </span>
      ))}
    </p>
  )
}
