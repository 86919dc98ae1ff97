import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { writeWholeFile } from '../../whole-file.ts'
import { type ArchiveEnd, type ArchiveHead, END_OF_SECTION, type Section } from './format.ts'

/** Rows arrive singly. They are joined up to this size, because each piece costs a hash and a compression. */
const PIECE_BYTES = 65_536

export type WrittenArchive = ArchiveEnd & { bytes: number }

/** Writes an archive. @throws a system error if the file exists or cannot be created, or the disk is full. */
export async function writeArchive(
  file: string,
  head: ArchiveHead,
  sections: AsyncIterable<Section>,
  signal?: AbortSignal,
): Promise<WrittenArchive> {
  const end: ArchiveEnd = { rows: 0, sha256: '' }
  const bytes = await writeWholeFile(file, (target) =>
    pipeline(encode(head, sections, end), createGzip(), target, signal ? { signal } : {}),
  )
  return { ...end, bytes }
}

/** Yields the file's content. Counts rows in `end`, adds the hash to it, and yields it as the last line. */
async function* encode(head: ArchiveHead, sections: AsyncIterable<Section>, end: ArchiveEnd) {
  const hash = createHash('sha256')
  for await (const piece of inPieces(encodeLines(head, sections, end))) {
    hash.update(piece)
    yield piece
  }
  end.sha256 = hash.digest('hex')
  yield lineOf(end)
}

async function* encodeLines(head: ArchiveHead, sections: AsyncIterable<Section>, end: ArchiveEnd) {
  yield lineOf(head)
  for await (const section of sections) {
    yield lineOf(section.head)
    for await (const piece of section.content) {
      if ('table' in section.head) end.rows += countLines(piece)
      yield piece
    }
    yield Buffer.from(END_OF_SECTION)
  }
}

const lineOf = (value: unknown) => Buffer.from(`${JSON.stringify(value)}\n`)

export const LINE_BREAK = 10 // \n

export function countLines(piece: Buffer): number {
  let count = 0
  for (let at = piece.indexOf(LINE_BREAK); at >= 0; at = piece.indexOf(LINE_BREAK, at + 1)) count += 1
  return count
}

async function* inPieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of source) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes < PIECE_BYTES) continue
    yield Buffer.concat(pieces, bytes)
    pieces = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(pieces, bytes)
}
