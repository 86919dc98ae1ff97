import { createHash } from 'node:crypto'
import { closeSync, fdatasyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Zip, ZipDeflate } from 'fflate'
import type { PackFile } from './pack-files.ts'

/** Where files go; one is written at a time. */
export type Sink = {
  begin: (path: string) => void
  write: (bytes: Uint8Array) => Promise<void> | void
  end: () => Promise<void> | void
  /** After the last file. */
  close: () => Promise<void> | void
}

const MIN_PIECE_CHARACTERS = 65_536

/** Writes files, and at the end `SHA256SUMS`, which `sha256sum -c` reads. */
export async function writeFiles(
  files: Iterable<PackFile>,
  sink: Sink,
  onFile: (path: string) => void,
): Promise<void> {
  let sums = ''
  for (const { path, content } of files) {
    onFile(path)
    sums += `${await writeFile(path, content(), sink)}  ${path}\n`
  }
  await writeFile('SHA256SUMS', [sums], sink)
  await sink.close()
}

/** @returns the SHA-256 of the file in hexadecimal. */
async function writeFile(path: string, content: Iterable<string | Uint8Array>, sink: Sink): Promise<string> {
  const hash = createHash('sha256')
  sink.begin(path)
  for (const piece of inPieces(content)) {
    hash.update(piece)
    await sink.write(piece)
  }
  await sink.end()
  return hash.digest('hex')
}

/** Joins small texts into pieces worth a system call. */
function* inPieces(content: Iterable<string | Uint8Array>): Generator<Uint8Array> {
  let joined = ''
  for (const part of content) {
    if (typeof part === 'string') {
      joined += part
      if (joined.length < MIN_PIECE_CHARACTERS) continue
    }
    if (joined !== '') yield Buffer.from(joined)
    joined = ''
    if (typeof part !== 'string') yield part
  }
  if (joined !== '') yield Buffer.from(joined)
}

/**
 * Writes files below a folder. With `durable`, each file is on the disk before the next one begins, so that a
 * power failure loses nothing after the caller has given the folder its final name.
 */
export function folderSink(folder: string, mode: 'durable' | 'buffered'): Sink {
  let descriptor = -1
  return {
    begin(name) {
      const path = join(folder, name)
      mkdirSync(dirname(path), { recursive: true })
      descriptor = openSync(path, 'wx', 0o644)
    },
    write(bytes) {
      for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written)
    },
    end() {
      if (mode === 'durable') fdatasyncSync(descriptor)
      closeSync(descriptor)
    },
    close() {},
  }
}

/** The limits of ZIP without its 64-bit extension, which fflate does not write. */
const MAX_BYTES = 0xffff_ffff
const MAX_FILES = 0xffff
/** Most of a pack is hashes in hexadecimal digits, which any level halves. */
const COMPRESSION_LEVEL = 1

/**
 * Makes a ZIP archive. `write`, `end` and `close` reject with a RangeError beyond 4 GiB or 65,535 files.
 * @param send takes the next piece of the archive.
 * @param modifiedAt the day (UTC) of all files, so that the same allocation makes the same archive.
 */
export function zipSink(send: (bytes: Uint8Array) => Promise<void>, modifiedAt: Date): Sink {
  const mtime = noonOf(modifiedAt)
  let unsent: Uint8Array[] = []
  let archiveBytes = 0
  let fileCount = 0
  let entry: ZipDeflate | undefined
  let entryBytes = 0
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    unsent.push(bytes)
  })
  async function drain() {
    const pieces = unsent
    unsent = []
    for (const piece of pieces) {
      archiveBytes += piece.length
      if (archiveBytes > MAX_BYTES || entryBytes > MAX_BYTES || fileCount > MAX_FILES)
        throw new RangeError('The pack is too large for a ZIP archive: export it into a folder instead.')
      if (piece.length > 0) await send(piece)
    }
  }
  return {
    begin(name) {
      fileCount += 1
      entryBytes = 0
      entry = new ZipDeflate(name, { level: COMPRESSION_LEVEL })
      entry.mtime = mtime
      zip.add(entry)
    },
    write(bytes) {
      entryBytes += bytes.length
      entry?.push(bytes)
      return drain()
    },
    end() {
      entry?.push(new Uint8Array(), true) // the last piece
      return drain()
    },
    close() {
      zip.end()
      return drain()
    },
  }
}

/** Local noon of the UTC day: fflate writes local times, and in some time zones a day has no midnight. */
const noonOf = (time: Date) => new Date(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate(), 12)
