export type Options = {
  /** Smaller numbers, to try a benchmark out. The figures are not for publication. */
  quick: boolean
  /** The number of recipients in `merkle`. */
  recipients?: number
}

/** Random points and amounts derive from this number, so that runs can be compared. */
export const SEED = 369

/** The numbers of participants at which growth is measured. */
export const sizesOf = ({ quick }: Options) => (quick ? [1_000, 10_000] : [10_000, 100_000, 1_000_000])

/** The result of a benchmark: one row per variant. */
export type Report = {
  title: string
  rows: readonly Row[]
  /** Explanations, one line each. */
  notes: readonly string[]
  plots?: readonly Bars[]
}

/** The first column names the variant. */
export type Row = Record<string, Cell>
export type Cell = string | number | Marked

/** A figure with the bound that it has to meet. */
export type Marked = {
  value: number
  mark: Bound
  /** Shown if the bound is missed: the reason in numbers, and what was tried. */
  whyMissed?: string
}
export type Bound = { atLeast: number } | { atMost: number }

export type Bars = {
  kind: 'bars'
  /** Names the plot and its file: letters and dashes. */
  name: string
  title: string
  unit: string
  groups: readonly { label: string; bars: readonly { series: string; value: number }[] }[]
}

export type Lines = {
  kind: 'lines'
  name: string
  title: string
  unit: string
  xLabel: string
  lines: readonly { series: string; points: readonly (readonly [x: number, y: number])[] }[]
}

/** A row for each figure, with its name in the column `what`. */
export const figureRows = (figures: Record<string, Cell>): Row[] =>
  Object.entries(figures).map(([what, value]) => ({ what, value }))

/** A figure that grows by less counts as flat. */
const MAX_FLAT_FACTOR = 1.3

/**
 * A row for a figure of which less is better. It has a column for each size, and the figure at the largest
 * size divided by the figure at the smallest.
 */
export function growthRow(
  what: string,
  figures: readonly (readonly [participants: number, value: number])[],
): Row {
  const atSmallest = figures[0]?.[1] ?? Number.NaN
  const atLargest = figures.at(-1)?.[1] ?? Number.NaN
  return {
    what,
    ...Object.fromEntries(figures.map(([size, value]) => [shortNumber(size), value])),
    factor: { value: atLargest / atSmallest, mark: { atMost: MAX_FLAT_FACTOR } },
  }
}

/** 10_000 as "10 k" and 1_000_000 as "1 M", but 9_999 as "9,999". */
export function shortNumber(value: number): string {
  if (value >= 1e6) return `${formatNumber(value / 1e6)} M`
  return value >= 10_000 ? `${formatNumber(value / 1e3)} k` : formatNumber(value)
}

export const isMet = ({ value, mark }: Marked) =>
  'atLeast' in mark ? value >= mark.atLeast : value <= mark.atMost

const formatBound = (mark: Bound) =>
  'atLeast' in mark ? `≥ ${formatNumber(mark.atLeast)}` : `≤ ${formatNumber(mark.atMost)}`

/** Two decimals below a hundred, except for whole numbers. */
export function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : 2
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

export type PrintedMark = Marked & {
  printed: string
  /** Decided before the figure was rounded. */
  isMet: boolean
}

const PRINTED = /^(-?(?:[\d,.]+|∞)|NaN) \(([≥≤]) ([\d,.]+) (met|missed)\)$/

/** Parses a figure with its bound, printed by `formatCell`; undefined for other texts. */
export function parseMark(printed: string): PrintedMark | undefined {
  const [, value = '', sign, bound = '', verdict] = PRINTED.exec(printed) ?? []
  if (verdict === undefined) return undefined
  const limit = parseNumber(bound)
  return {
    value: parseNumber(value),
    mark: sign === '≥' ? { atLeast: limit } : { atMost: limit },
    printed,
    isMet: verdict === 'met',
  }
}

const parseNumber = (text: string) => Number(text.replaceAll(',', '').replace('∞', 'Infinity'))

export function formatCell(cell: Cell | undefined): string {
  if (cell === undefined || typeof cell === 'string') return cell ?? ''
  if (typeof cell === 'number') return formatNumber(cell)
  return `${formatNumber(cell.value)} (${formatBound(cell.mark)} ${isMet(cell) ? 'met' : 'missed'})`
}

/** `lines`: the header, then a line for each row. `isNumber`: if each column has only numbers and gaps. */
type Grid = { lines: readonly (readonly string[])[]; isNumber: readonly boolean[] }

/** Formats every cell. The columns are those of all rows, in order of appearance. */
export function gridOf(rows: readonly Row[]): Grid {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return {
    lines: [columns, ...rows.map((row) => columns.map((column) => formatCell(row[column])))],
    isNumber: columns.map((column) => rows.every((row) => typeof (row[column] ?? 0) !== 'string')),
  }
}

/** Formats rows as text. Numbers are right-aligned. */
export function asTable(rows: readonly Row[]): string {
  const { lines, isNumber } = gridOf(rows)
  const widths = isNumber.map((_, index) => Math.max(...lines.map((line) => (line[index] ?? '').length)))
  const [header, ...body] = lines.map((line) =>
    line
      .map((cell, index) =>
        isNumber[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
  return [header, widths.map((width) => '-'.repeat(width)).join('  '), ...body].join('\n')
}

/** All marked cells, each with the first cell of its row (`what`) and its column. */
export function marksOf(reports: readonly Report[]): { what: string; column: string; cell: Marked }[] {
  return reports.flatMap(({ rows }) =>
    rows.flatMap((row) =>
      Object.entries(row).flatMap(([column, cell]) =>
        typeof cell === 'object' ? [{ what: formatCell(Object.values(row)[0]), column, cell }] : [],
      ),
    ),
  )
}
