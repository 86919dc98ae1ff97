import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import {
  type ArchiveEnd,
  type ArchiveHead,
  END_OF_SECTION,
  FORMAT,
  FORMAT_VERSION,
  MAX_HEAD_BYTES,
  type SectionHead,
  UnusableArchive,
} from './format.ts'
import { countLines, LINE_BREAK } from './write-archive.ts'

type ReadSection = {
  head: SectionHead
  /** Read it to its end before the next section, or not at all. */
  content: AsyncGenerator<Buffer>
}

export type OpenArchive = {
  head: ArchiveHead
  /** Ends once it has compared the number of rows and the hash with the last line. */
  sections: AsyncGenerator<ReadSection>
  close(): void
}

/** Opens an archive. @throws UnusableArchive, now or while reading, if it is damaged, cut off or not ours. */
export async function openArchive(file: string): Promise<OpenArchive> {
  const raw = createReadStream(file)
  const unzipped = createGunzip({ chunkSize: 65_536 })
  raw.on('error', (error) => unzipped.destroy(error))
  raw.pipe(unzipped)
  const close = () => {
    raw.destroy()
    unzipped.destroy()
  }
  const reader = createReader(unzipped)
  try {
    const head = asHead(await reader.readJson(), file)
    return { head, sections: withClearErrors(sectionsOf(reader, file), file), close }
  } catch (error) {
    close()
    throw explain(error, file, { isFirstLine: true })
  }
}

/** Reads a whole archive and compares it with its checksum. @throws UnusableArchive when it is not intact. */
export async function verifyArchive(file: string): Promise<{ head: ArchiveHead; rows: number }> {
  const { head, sections, close } = await openArchive(file)
  let rows = 0
  try {
    for await (const section of sections) {
      for await (const piece of section.content) if ('table' in section.head) rows += countLines(piece)
    }
    return { head, rows }
  } finally {
    close()
  }
}

function asHead(value: unknown, file: string): ArchiveHead {
  const head = value as Partial<ArchiveHead> | undefined
  if (head?.format !== FORMAT || !Array.isArray(head.migrations) || typeof head.createdAt !== 'string')
    throw new UnusableArchive(`${file} is not a backup of this program.`)
  if (typeof head.version !== 'number' || head.version > FORMAT_VERSION)
    throw new UnusableArchive(
      `${file} has the format ${head.version} of a newer version: restore it with that version, or a later one.`,
    )
  return head as ArchiveHead
}

async function* sectionsOf(reader: Reader, file: string): AsyncGenerator<ReadSection> {
  let rows = 0
  for (;;) {
    const actualSha256 = reader.digest()
    const head = (await reader.readJson()) as SectionHead | ArchiveEnd
    if ('sha256' in head) {
      if (head.sha256 === actualSha256 && head.rows === rows && (await reader.isAtEnd())) return
      throw new UnusableArchive(`${file} is damaged: its content does not fit its checksum.`)
    }
    const content = contentOf(reader, (lines) => {
      if ('table' in head) rows += lines
    })
    yield { head, content: withClearErrors(content, file) }
    // Skips the content if the caller has not read it.
    for await (const _unread of content);
  }
}

async function* contentOf(reader: Reader, onLines: (lines: number) => void): AsyncGenerator<Buffer> {
  for (let piece = await reader.readContent(); piece; piece = await reader.readContent()) {
    onLines(countLines(piece))
    yield piece
  }
}

type Reader = ReturnType<typeof createReader>

const END = Buffer.from(END_OF_SECTION)
const END_AFTER_LINE = Buffer.from(`\n${END_OF_SECTION}`)

class CutOff extends Error {}

function createReader(source: AsyncIterable<Buffer>) {
  const hash: Hash = createHash('sha256')
  const chunks = source[Symbol.asyncIterator]()
  let buffer: Buffer = Buffer.alloc(0)
  const readMore = async (): Promise<boolean> => {
    const chunk = await chunks.next()
    if (!chunk.done) buffer = buffer.length === 0 ? chunk.value : Buffer.concat([buffer, chunk.value])
    return !chunk.done
  }
  const take = (bytes: number): Buffer => {
    const taken = buffer.subarray(0, bytes)
    buffer = buffer.subarray(bytes)
    hash.update(taken)
    return taken
  }
  return {
    /** The next line, parsed. @throws SyntaxError if it is not a JSON object; CutOff if it does not end. */
    async readJson(): Promise<object> {
      let end = buffer.indexOf(LINE_BREAK)
      while (end < 0 && buffer.length < MAX_HEAD_BYTES && (await readMore())) end = buffer.indexOf(LINE_BREAK)
      if (end < 0) throw new CutOff()
      const value: unknown = JSON.parse(take(end + 1).toString())
      if (typeof value !== 'object' || value === null) throw new SyntaxError('The line is not an object.')
      return value
    },
    /** The next whole lines of the section's content; undefined at its end. */
    async readContent(): Promise<Buffer | undefined> {
      for (;;) {
        if (buffer.length >= END.length && buffer.subarray(0, END.length).equals(END)) {
          take(END.length)
          return undefined
        }
        const end = buffer.indexOf(END_AFTER_LINE)
        // Takes whole lines only: an incomplete one may be the beginning of the line that ends the section.
        const length = end >= 0 ? end + 1 : buffer.lastIndexOf(LINE_BREAK) + 1
        if (length > 0) return take(length)
        if (!(await readMore())) throw new CutOff()
      }
    },
    isAtEnd: async () => buffer.length === 0 && !(await readMore()),
    digest: () => hash.copy().digest('hex'),
  }
}

async function* withClearErrors<T>(source: AsyncGenerator<T>, file: string): AsyncGenerator<T> {
  try {
    yield* source
  } catch (error) {
    throw explain(error, file)
  }
}

/** Says in one line what is wrong with the archive. Returns other errors unchanged (a missing file). */
function explain(error: unknown, file: string, { isFirstLine = false } = {}): unknown {
  if (error instanceof UnusableArchive) return error
  const { code } = error as NodeJS.ErrnoException
  const isNotArchive = isFirstLine && (code === 'Z_DATA_ERROR' || error instanceof SyntaxError)
  if (isNotArchive) return new UnusableArchive(`${file} is not a backup of this program.`, { cause: error })
  if (error instanceof CutOff || code === 'Z_BUF_ERROR')
    return new UnusableArchive(`${file} is cut off: its end is missing.`, { cause: error })
  if (code?.startsWith('Z_') || error instanceof SyntaxError)
    return new UnusableArchive(`${file} is damaged.`, { cause: error })
  return error
}
