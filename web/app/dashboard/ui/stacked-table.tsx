import type { ReactNode } from 'react'
import { classes } from '#web/ui/classes.ts'
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from '#web/ui/table.tsx'

export type Column<Entry> = {
  name: string
  cell: (entry: Entry) => ReactNode
  className?: string | ((entry: Entry) => string)
  /** A tooltip: the full text of a shortened cell, or the code that its words stand for. */
  title?: (entry: Entry) => string | undefined
  /**
   * The cells' content, if not text: figures (aligned to the end), amounts (figures on one line), the heading
   * of a stacked row, or a button.
   */
  kind?: 'figures' | 'amounts' | 'heading' | 'action'
}

type StackedTableProps<Entry> = {
  caption: string
  columns: readonly Column<Entry>[]
  entries: readonly Entry[]
  keyOf: (entry: Entry, index: number) => string | number
  className?: string
}

/** A table whose rows are stacked on narrow screens: one line per cell, each with its label. */
export function StackedTable<Entry>(props: StackedTableProps<Entry>) {
  const { caption, columns, entries, keyOf, className } = props
  return (
    <Table caption={caption} className={className}>
      <TableHead className="max-md:sr-only">
        {columns.map(({ name, kind }) => (
          <ColumnHead key={name} isNumeric={kind === 'figures' || kind === 'amounts'}>
            {kind === 'action' ? <span className="sr-only">{name}</span> : name}
          </ColumnHead>
        ))}
      </TableHead>
      <TableBody>
        {entries.map((entry, index) => (
          <Row key={keyOf(entry, index)} className="max-md:grid max-md:py-2">
            {columns.map(({ name, cell, className: cellClass, title, kind }) => (
              <Cell
                key={name}
                label={kind === 'heading' || kind === 'action' ? undefined : name}
                title={title?.(entry)}
                className={classes(
                  STYLES[kind ?? 'text'],
                  typeof cellClass === 'function' ? cellClass(entry) : cellClass,
                )}
              >
                {cell(entry)}
              </Cell>
            ))}
          </Row>
        ))}
      </TableBody>
    </Table>
  )
}

const LABELED =
  'max-md:grid max-md:grid-cols-[7rem_minmax(0,1fr)] max-md:px-0 max-md:py-0.5 max-md:text-start ' +
  'max-md:before:font-text max-md:before:text-sm max-md:before:font-normal max-md:before:text-ink-soft ' +
  'max-md:before:content-[attr(data-label)] max-[15rem]:grid-cols-1'

const STYLES = {
  text: LABELED,
  figures: `${LABELED} figures md:text-end`,
  amounts: `${LABELED} figures whitespace-nowrap md:text-end`,
  heading: 'max-md:px-0 max-md:py-0.5 max-md:font-semibold',
  action: 'max-md:px-0 max-md:pt-1.5 md:text-end',
}
