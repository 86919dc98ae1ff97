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
  for (const { path, text } of files) {
    onFile(path)
    sums += `${await writeFile(path, text(), sink)}  ${path}\n`
  }
  await writeFile('SHA256SUMS', [sums], sink)
  await sink.close()
}

/** @returns the SHA-256 of the file, in hexadecimal digits. */
async function writeFile(path: string, text: Iterable<string>, sink: Sink): Promise<string> {
  const hash = createHash('sha256')
  sink.begin(path)
  for (const piece of pieces(text)) {
    hash.update(piece)
    await sink.write(piece)
  }
  await sink.end()
  return hash.digest('hex')
}

/** Joins small texts into pieces worth a system call. */
function* pieces(text: Iterable<string>): Generator<Buffer> {
  let joined = ''
  for (const part of text) {
    joined += part
    if (joined.length < PIECE) continue
    yield Buffer.from(joined)
    joined = ''
  }
  if (joined !== '') yield Buffer.from(joined)
}
