import { type ComponentProps, type ReactNode, useId } from 'react'
import {
  type InsightRow,
  type Insights,
  insightsFile,
  type InsightTable,
} from '#contract/dashboard/insights.ts'
import { INSIGHTS } from '#messages/dashboard-insights.js'
import { BarList } from '#web/ui/chart/bar-list.tsx'
import { Cell, ColumnHead, Row, Table, TableBody, TableHead } from '#web/ui/table.tsx'
import { CompactButton } from '../ui/compact-button.tsx'
import { useDownload } from '../api/use-download.ts'

export type Column<R> = {
  name: string
  value: (row: R) => string
  /** Whether the values are text, not figures. */
  isText?: boolean
}

type InsightFigureProps<T extends InsightTable> = {
  title: string
  note?: string | undefined
  /** At least the figures of `table`, which alone determines `T`. */
  insights: Insights & Readonly<Record<NoInfer<T>, readonly InsightRow<T>[]>>
  /** The table's name in the API. */
  table: T
  columns: readonly Column<InsightRow<T>>[]
  /** The drawing. Without it, the table is always shown. */
  children?: ReactNode
  /** Whether there is nothing to show; by default, whether there are no rows. */
  isEmpty?: boolean
  /** Shown instead of drawing and table if `isEmpty`. */
  emptyText?: string
}

export function InsightFigure<T extends InsightTable>(props: InsightFigureProps<T>) {
  const { title, note, insights, table, columns, children } = props
  const rows: readonly InsightRow<T>[] = insights[table]
  const { isEmpty = rows.length === 0, emptyText = INSIGHTS.nothing } = props
  const headingId = useId()
  const { isPending, download } = useTableDownload(table, insights)
  return (
    <section aria-labelledby={headingId} className="grid grid-cols-1 content-start gap-3">
      <div className="flex items-start justify-between gap-4">
        <h3 id={headingId} className="text-lg">
          {title}
        </h3>
        <CompactButton isPending={isPending} onClick={download} aria-label={INSIGHTS.downloadOf({ title })}>
          {INSIGHTS.download}
        </CompactButton>
      </div>
      {note && <p className="max-w-prose text-sm text-ink-soft">{note}</p>}
      {isEmpty ? (
        <p className="border-s-4 border-hairline ps-4 text-ink-soft">{emptyText}</p>
      ) : (
        <>
          {children}
          {children ? (
            <details className="group">
              <summary className="inline-flex min-h-11 min-w-11 items-center text-sm font-semibold text-accent-text underline underline-offset-4 lg:min-h-8">
                {INSIGHTS.table}
                <span className="sr-only">: {title}</span>
              </summary>
              <FigureTable title={title} rows={rows} columns={columns} />
            </details>
          ) : (
            <FigureTable title={title} rows={rows} columns={columns} />
          )}
        </>
      )}
    </section>
  )
}

function useTableDownload(table: InsightTable, { from, to, by }: Insights) {
  const { isPending, mutate } = useDownload()
  const kebabCase = table.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const name = `${kebabCase}-${from}-${to}.csv`
  const download = () => mutate({ endpoint: insightsFile, params: { table }, query: { from, to, by }, name })
  return { isPending, download }
}

type BarFigureProps<T extends InsightTable> = Omit<InsightFigureProps<T>, 'children'> &
  Pick<ComponentProps<typeof BarList>, 'parts' | 'bars'>

export const BarFigure = <T extends InsightTable>({ parts, bars, ...figure }: BarFigureProps<T>) => (
  <InsightFigure {...figure}>
    <BarList label={figure.title} parts={parts} bars={bars} />
  </InsightFigure>
)

type FigureTableProps<R> = { title: string; rows: readonly R[]; columns: readonly Column<R>[] }

/** A table that scrolls if it does not fit. Focusable, so that the keyboard can scroll it. */
function FigureTable<R>({ title, rows, columns }: FigureTableProps<R>) {
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so keys must reach it
      tabIndex={0}
      role="region"
      aria-label={INSIGHTS.tableOf({ title })}
      className="max-h-[28rem] overflow-auto"
    >
      <Table caption={title} className="text-sm">
        <TableHead className="sticky top-0 bg-paper">
          {columns.map(({ name, isText }) => (
            <ColumnHead key={name} isNumeric={!isText}>
              {name}
            </ColumnHead>
          ))}
        </TableHead>
        <TableBody>
          {rows.map((row, index) => (
            <Row key={index}>
              {columns.map(({ name, value, isText }) => (
                <Cell
                  key={name}
                  className={isText ? 'whitespace-nowrap' : 'figures text-end whitespace-nowrap'}
                >
                  {isText ? <span dir="auto">{value(row)}</span> : value(row)}
                </Cell>
              ))}
            </Row>
          ))}
        </TableBody>
      </Table>
    </div>
  )
}

export function InsightSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-8">
      <h2 className="border-b-2 border-ink pb-2 text-xl">{title}</h2>
      {children}
    </section>
  )
}

export const TwoColumns = ({ children }: { children: ReactNode }) => (
  <div className="grid grid-cols-1 gap-x-12 gap-y-10 lg:grid-cols-2">{children}</div>
)
