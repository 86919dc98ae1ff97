import { assertWritable, makeFolder } from '#server/platform/database/data-dir.ts'
import { Misconfigured } from '#server/platform/misconfigured.ts'

/** A backup could not be written. The message says why, in one line. */
export class BackupFailed extends Misconfigured {}

/** Creates BACKUP_DIR. @throws BackupFailed when nothing can be written there. */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await explainFileError(folder, async () => {
      await makeFolder(folder, 0o700)
      await assertWritable(folder)
    })
  } catch (error) {
    throw new BackupFailed(`BACKUP_DIR: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

const REASONS: Record<string, string> = {
  ENOSPC: 'the disk is full. Make room, or choose another disk',
  EDQUOT: 'the quota of this account is used up. Make room, or choose another disk',
  EROFS: 'the file system is read-only. Choose another folder',
  EACCES: 'this account may not write there. Choose another folder',
  EPERM: 'this account may not write there. Choose another folder',
  ENOENT: 'its folder does not exist. Create it, or choose another one',
  ENOTDIR: 'a part of its path is a file, not a folder. Choose another one',
  EEXIST: 'it exists, and a backup never replaces a file. Choose another name',
  EISDIR: 'it is a folder. Name a file in it',
  EFBIG: 'the file system does not take files of that size. Choose another disk',
  EIO: 'the disk reports an error. Choose another one',
}

/** Runs a step of writing a backup. @throws BackupFailed, with a remedy, when the file system refuses. */
export async function explainFileError<T>(file: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? '']
    if (reason === undefined) throw error
    throw new BackupFailed(`${file} cannot be written: ${reason}.`, { cause: error })
  }
}
