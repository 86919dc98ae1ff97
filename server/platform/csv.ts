export type Cell = string | number | null

/**
 * A row of CSV (RFC 4180) with its line break. Null is empty. Text that a spreadsheet would run as a formula
 * gets an apostrophe in front, which marks it as text.
 */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(fieldOf).join(',')}\r\n`
}

/** A tab or line break counts too, because some programs skip it in front of a formula. */
const FORMULA = /^[=+\-@\t\r\n]/

function fieldOf(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
