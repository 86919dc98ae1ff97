import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/** Only files that are still being written have this in their names. */
export const PARTIAL = '.partial-'

/**
 * Writes a file that only its owner may read. It has a temporary name until it is complete and on disk, and
 * is removed on failure.
 * @param write fills and ends the stream. Not called if the file exists or cannot be created.
 * @returns the size of the file in bytes.
 * @throws the system's error when the file exists, cannot be created, or the disk is full.
 */
export async function writeWholeFile(
  file: string,
  write: (target: WriteStream) => Promise<void>,
): Promise<number> {
  await refuseExisting(file)
  const draft = `${file}${PARTIAL}${randomBytes(4).toString('hex')}`
  try {
    // `flush`: on disk before it is closed.
    const target = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
    await once(target, 'open')
    await write(target)
    await giveName(draft, file)
    await syncFolder(path.dirname(file))
    return target.bytesWritten
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Unlike a rename, a link fails if the file has appeared meanwhile. Renames where links are impossible. */
async function giveName(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    await refuseExisting(file)
    return rename(draft, file)
  }
  await rm(draft)
}

async function refuseExisting(file: string): Promise<void> {
  const existing = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (!existing) return
  throw Object.assign(new Error(`${file} exists`), { code: existing.isDirectory() ? 'EISDIR' : 'EEXIST' })
}

/** Makes the name survive a power cut, too, on file systems that can do so. */
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
