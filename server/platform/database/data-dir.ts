import { mkdir, rmdir, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { Misconfigured } from '../misconfigured.ts'

/** Not `mkdir` with `recursive`, which loops forever where nothing can be created in a folder (/proc). */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(folder, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await isFolder(folder))) return
    const parent = path.dirname(folder)
    if (code !== 'ENOENT' || parent === folder || (await isFolder(parent))) throw error
    await makeFolder(parent, mode)
    await makeFolder(folder, mode)
  }
}

const isFolder = async (folder: string) => (await stat(folder).catch(() => undefined))?.isDirectory() ?? false

/** @throws the system's error if nothing can be created in the folder. */
export async function assertWritable(folder: string): Promise<void> {
  // Not `access`: nothing can be created below /proc despite its permissions, and root may write everywhere.
  const probe = path.join(folder, `.writable-${crypto.randomUUID()}`)
  await mkdir(probe)
  await rmdir(probe)
}

/** Bytes that this account can still write on the disk of a folder. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const REFUSED = `uid ${process.getuid?.() ?? ''} may not write there`
const REASONS: Record<string, string> = {
  EACCES: REFUSED,
  EPERM: REFUSED,
  EROFS: 'the file system is read-only',
  EEXIST: 'it is a file, not a folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  ENOENT: 'no folder can be made there',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'it is a link that leads to itself',
}

/** Runs a step that writes to DATA_DIR. @throws Misconfigured, or Error for a full disk, with the remedy. */
export async function inDataDir<T>(dataDir: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new Error(`DATA_DIR ${dataDir} cannot be used: the disk is full. Make room, and start again.`, {
        cause: error,
      })
    const reason = REASONS[code]
    if (reason === undefined) throw error
    throw new Misconfigured(
      `DATA_DIR ${dataDir} cannot be used: ${reason}. Set DATA_DIR to a folder that this account may write to.`,
      { cause: error },
    )
  }
}
