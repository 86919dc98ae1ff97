/**
 * A font file begins with a header, which contains the number of tables. An entry for each table follows: its
 * tag, checksum, start and length, of four bytes each.
 */
const HEADER_BYTES = 12
const TABLE_COUNT_OFFSET = 4
const ENTRY_BYTES = 16

/** The tables of an uncompressed font by their tag. */
export function tablesOf(font: Buffer): Map<string, Buffer> {
  const entries = Array.from({ length: font.readUInt16BE(TABLE_COUNT_OFFSET) }, (_, index) =>
    font.subarray(HEADER_BYTES + index * ENTRY_BYTES, HEADER_BYTES + (index + 1) * ENTRY_BYTES),
  )
  return new Map(
    entries.map((entry) => {
      const start = entry.readUInt32BE(8)
      return [entry.toString('latin1', 0, 4), font.subarray(start, start + entry.readUInt32BE(12))]
    }),
  )
}

/**
 * An uncompressed font of these tables. Its checksums are 0, because the subsetter computes them.
 * @param headerSource a font with the same number of tables, whose header is copied
 */
export function fontOf(headerSource: Buffer, tables: ReadonlyMap<string, Buffer>): Buffer {
  const directory = Buffer.alloc(HEADER_BYTES + tables.size * ENTRY_BYTES)
  headerSource.copy(directory, 0, 0, HEADER_BYTES)
  if (tables.size !== headerSource.readUInt16BE(TABLE_COUNT_OFFSET))
    throw new Error('The fonts have different tables')
  const parts = [directory]
  let start = directory.length
  for (const [index, [tag, table]] of [...tables].entries()) {
    const entry = HEADER_BYTES + index * ENTRY_BYTES
    directory.write(tag, entry, 'latin1')
    directory.writeUInt32BE(start, entry + 8)
    directory.writeUInt32BE(table.length, entry + 12)
    // Each table begins at a multiple of four bytes.
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)])
    parts.push(padded)
    start += padded.length
  }
  return Buffer.concat(parts)
}
