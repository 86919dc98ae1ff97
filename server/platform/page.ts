/** @param rows one more than `limit` if another page follows. */
export function pageOf<Row, Cursor>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => Cursor,
): { data: Row[]; next: Cursor | null } {
  const data = rows.slice(0, limit)
  const last = rows.length > limit ? data.at(-1) : undefined
  return { data, next: last === undefined ? null : cursorOf(last) }
}
