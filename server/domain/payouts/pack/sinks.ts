import { closeSync, fdatasyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'
import { Zip, ZipDeflate } from 'fflate'
import type { Sink } from './write-files.ts'

/**
 * Writes files below a folder. `safe`: each is on the disk before the next one begins, so that a machine that
 * loses power loses no part of what was written before the folder got its name.
 */
export function folderSink(folder: string, mode: 'safe' | 'buffered'): Sink {
  let file = -1
  return {
    begin(name) {
      const whole = path.join(folder, name)
      mkdirSync(path.dirname(whole), { recursive: true })
      file = openSync(whole, 'wx', 0o644)
    },
    write(bytes) {
      for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
    },
    end() {
      if (mode === 'safe') fdatasyncSync(file)
      closeSync(file)
    },
    close() {},
  }
}

/** ZIP without its 64-bit extension, which fflate does not write, ends here. */
const LIMIT = 0xffff_ffff
const MAX_FILES = 0xffff
/** Most of a pack is hashes, whose hexadecimal digits any level halves. */
const LEVEL = 1

/**
 * Makes a ZIP archive; its `write` throws a RangeError when it becomes larger than 4 GiB.
 * @param send takes the next piece of the archive.
 * @param modifiedAt the day (UTC) of all files, so that the same allocation makes the same archive.
 */
export function zipSink(send: (bytes: Uint8Array) => Promise<void>, modifiedAt: Date): Sink {
  const mtime = noonOf(modifiedAt)
  let made: Uint8Array[] = []
  let size = 0
  let files = 0
  let entry: ZipDeflate | undefined
  let entrySize = 0
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    made.push(bytes)
  })
  async function drain() {
    const pieces = made
    made = []
    for (const piece of pieces) {
      size += piece.length
      if (size > LIMIT || entrySize > LIMIT || files > MAX_FILES)
        throw new RangeError('The pack is too large for a ZIP archive: export it into a folder instead.')
      if (piece.length > 0) await send(piece)
    }
  }
  return {
    begin(name) {
      files += 1
      entrySize = 0
      entry = new ZipDeflate(name, { level: LEVEL })
      entry.mtime = mtime
      zip.add(entry)
    },
    write(bytes) {
      entrySize += bytes.length
      entry?.push(bytes)
      return drain()
    },
    end() {
      entry?.push(new Uint8Array(), true)
      return drain()
    },
    close() {
      zip.end()
      return drain()
    },
  }
}

/** fflate writes local time. Noon exists on this day in every time zone, which a time near midnight may not. */
const noonOf = (time: Date) => new Date(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate(), 12)
