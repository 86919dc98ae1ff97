import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type ArchiveEnd, type ArchiveHead, END_OF_SECTION, type Section } from './format.ts'

/**
 * Bytes that are passed on at once: rows arrive singly, and every piece costs a hash and a compression step.
 */
const PIECE_BYTES = 65_536

export type WrittenArchive = ArchiveEnd & {
  /** Size of the file. */
  bytes: number
}

/** The name of an archive that is still being written; nothing else in the folder looks like it. */
export const PARTIAL = '.partial-'

/**
 * Writes an archive that only its owner may read. The file gets its name once it is complete and on disk; until then
 * it has another, and it is removed on failure.
 * @throws the system's error when the file exists, cannot be created, or the disk is full.
 */
export async function writeArchive(
  file: string,
  head: ArchiveHead,
  sections: AsyncIterable<Section>,
  signal?: AbortSignal,
): Promise<WrittenArchive> {
  await refuseExisting(file)
  const draft = `${file}${PARTIAL}${randomBytes(4).toString('hex')}`
  try {
    const end: ArchiveEnd = { rows: 0, sha256: '' }
    // `flush`: on disk before it is closed.
    const target = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
    await pipeline(text(head, sections, end), createGzip(), target, signal ? { signal } : {})
    await refuseExisting(file)
    await rename(draft, file)
    await syncFolder(path.dirname(file))
    return { ...end, bytes: target.bytesWritten }
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function refuseExisting(file: string): Promise<void> {
  const isThere = await stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
  if (isThere) throw Object.assign(new Error(`${file} exists`), { code: 'EEXIST' })
}

async function* text(
  head: ArchiveHead,
  sections: AsyncIterable<Section>,
  end: ArchiveEnd,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const piece of inPieces(lines(head, sections, end))) {
    hash.update(piece)
    yield piece
  }
  end.sha256 = hash.digest('hex')
  yield lineOf(end)
}

async function* lines(
  head: ArchiveHead,
  sections: AsyncIterable<Section>,
  end: ArchiveEnd,
): AsyncGenerator<Buffer> {
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

const LINE_BREAK = 10

/** The number of line breaks. */
export function countLines(piece: Buffer): number {
  let count = 0
  for (let at = piece.indexOf(LINE_BREAK); at >= 0; at = piece.indexOf(LINE_BREAK, at + 1)) count += 1
  return count
}

async function* inPieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let bytes = 0
  for await (const piece of source) {
    held.push(piece)
    bytes += piece.length
    if (bytes < PIECE_BYTES) continue
    yield Buffer.concat(held, bytes)
    held = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(held, bytes)
}

/** Makes the name survive a power cut too; some file systems cannot. */
async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined
  try {
    handle = await open(folder, 'r')
    await handle.sync()
  } catch {
    // The content is on disk; only the name may be lost.
  } finally {
    await handle?.close()
  }
}
