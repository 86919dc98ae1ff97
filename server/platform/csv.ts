export type Cell = string | number | null

/** A row of CSV (RFC 4180). An apostrophe marks text that a spreadsheet would run as a formula. */
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
