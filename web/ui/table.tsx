import type { ComponentProps } from 'react'
import { classes } from './classes.ts'

type TableProps = ComponentProps<'table'> & { caption: string }

/** Roles are explicit, because `display: grid` on a stacked row hides implicit ones from screen readers. */
export function Table({ caption, className, children, ...table }: TableProps) {
  return (
    <table {...table} role="table" className={classes('w-full border-collapse text-start', className)}>
      <caption className="sr-only">{caption}</caption>
      {children}
    </table>
  )
}

export function TableHead({ className, children }: ComponentProps<'thead'>) {
  return (
    <thead role="rowgroup" className={className}>
      <tr role="row">{children}</tr>
    </thead>
  )
}

export function ColumnHead({
  className,
  isNumeric = false,
  ...cell
}: ComponentProps<'th'> & { /** Aligned to the end, like the figures below it. */ isNumeric?: boolean }) {
  return (
    <th
      {...cell}
      scope="col"
      role="columnheader"
      className={classes(
        'border-b-2 border-ink px-3 py-2 text-sm font-semibold',
        isNumeric ? 'text-end' : 'text-start',
        className,
      )}
    />
  )
}

export function TableBody(props: ComponentProps<'tbody'>) {
  return <tbody {...props} role="rowgroup" />
}

export function Row({ className, ...row }: ComponentProps<'tr'>) {
  return <tr {...row} role="row" className={classes('border-b border-hairline', className)} />
}

/** If rows are stacked, the column headers are hidden, and `label` is shown before the value instead. */
export function Cell({ className, label, ...cell }: ComponentProps<'td'> & { label?: string | undefined }) {
  return (
    <td {...cell} role="cell" data-label={label} className={classes('px-3 py-2.5 align-middle', className)} />
  )
}
