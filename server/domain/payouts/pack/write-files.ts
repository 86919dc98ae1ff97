import { createHash } from 'node:crypto'
import type { PackFile } from './pack-files.ts'

/** Where files go; one is written at a time. */
export type Sink = {
  begin: (path: string) => void
  write: (bytes: Uint8Array) => Promise<void> | void
  end: () => Promise<void> | void
  /** After the last file. */
  close: () => Promise<void> | void
}

const PIECE = 65_536

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

/** @returns the SHA-256 of the file, in hexadecimal digits. */
async function writeFile(path: string, content: Iterable<string | Uint8Array>, sink: Sink): Promise<string> {
  const hash = createHash('sha256')
  sink.begin(path)
  for (const piece of pieces(content)) {
    hash.update(piece)
    await sink.write(piece)
  }
  await sink.end()
  return hash.digest('hex')
}

/** Joins small texts into pieces worth a system call. */
function* pieces(content: Iterable<string | Uint8Array>): Generator<Uint8Array> {
  let joined = ''
  for (const part of content) {
    if (typeof part === 'string') joined += part
    if (typeof part === 'string' && joined.length < PIECE) continue
    if (joined !== '') yield Buffer.from(joined)
    joined = ''
    if (typeof part !== 'string') yield part
  }
  if (joined !== '') yield Buffer.from(joined)
}
