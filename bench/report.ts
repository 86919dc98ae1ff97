/** The result of a benchmark: one row per variant, all with the same columns. */
export type Report = {
  title: string
  rows: readonly Row[]
  /** Explanations, one line each. */
  notes: readonly string[]
}

export type Row = Record<string, string | number>

/** Formats rows as a text table with numbers right-aligned. */
export function asTable(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const cells = [columns, ...rows.map((row) => columns.map((column) => format(row[column])))]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => (line[index] ?? '').length)))
  const isNumber = columns.map((column) => rows.every((row) => typeof row[column] === 'number'))
  const lines = cells.map((line) =>
    line
      .map((cell, index) =>
        isNumber[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
  return [lines[0], widths.map((width) => '-'.repeat(width)).join('  '), ...lines.slice(1)].join('\n')
}

function format(value: string | number | undefined): string {
  if (typeof value !== 'number') return value ?? ''
  const digits = value >= 100 || Number.isInteger(value) ? 0 : 2
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}
