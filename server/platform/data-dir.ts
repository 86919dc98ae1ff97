import { access, constants, mkdir, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { Misconfigured } from './misconfigured.ts'

/**
 * Makes a folder, and those above it, unless it is there. Not by `mkdir` with `recursive`: where nothing can be made
 * in a folder that is there (below /proc, for one) that tries for ever.
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(folder, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await isFolder(folder))) return
    const above = path.dirname(folder)
    if (code !== 'ENOENT' || above === folder || (await isFolder(above))) throw error
    await makeFolder(above, mode)
    await makeFolder(folder, mode)
  }
}

const isFolder = (folder: string) =>
  stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** @throws what the system says when nothing can be made in a folder. */
export async function assertWritable(folder: string): Promise<void> {
  await access(folder, constants.W_OK | constants.X_OK)
  // Asking does not tell everything: nothing can be made below /proc, whatever the rights are.
  const attempt = path.join(folder, `.writable-${crypto.randomUUID()}`)
  await mkdir(attempt)
  await rmdir(attempt)
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

/**
 * Does a step that makes or writes something in DATA_DIR.
 * @throws Misconfigured, saying what is wrong and what to do, where that cannot be.
 */
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
